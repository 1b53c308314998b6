"""The token inspector: one token of an answer with its figures, alternatives and fork controls."""
