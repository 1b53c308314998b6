"""Perplexity of a text, and the divergence of two models on it."""
