"""Looks into a model: its layers, its heads, its hidden states, and what its prompt's parts did."""
