"""Experiments: what to ask on the left, what was measured on the right."""
