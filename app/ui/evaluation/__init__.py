"""The window of prompt sets: a table of prompts, arms, and the verdict on them."""
