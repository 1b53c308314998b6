"""Limits on tokenizer files, and the text of single tokens."""
