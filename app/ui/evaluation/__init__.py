"""Prompt sets: run every row with several variants, check the answers, and compare the variants."""
