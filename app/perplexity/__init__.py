"""Perplexity of a text, and KL divergence of two models on it. No module here uses Qt."""
