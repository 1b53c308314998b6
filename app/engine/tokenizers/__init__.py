"""The limits of tokenizers, and how they spell their tokens."""
