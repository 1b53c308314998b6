"""Perplexity of a text, and KL divergence between two models."""
