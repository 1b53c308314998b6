"""Experiments: variants of one prompt, run in rounds and compared. No module here uses Qt."""
