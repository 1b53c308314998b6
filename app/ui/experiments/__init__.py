"""Experiments: variants of a run, measured in rounds and compared."""
