"""Limits of tokenizer files, and the text of single tokens."""
