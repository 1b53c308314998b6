"""Prompt sets: many prompts, each asked of several arms, and a verdict with its uncertainty. No Qt."""
