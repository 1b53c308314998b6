"""Interpretability of a token: logit lens, attention, hidden states, and attribution to parts of the prompt."""

LADDER, STRETCH, ATTENTION, STATES, WORDS = "ladder", "stretch", "attention", "states", "words"
"""The tabs of the panel."""
MATRIX = "matrix"
"""The attention matrix of one head."""
