"""Checks of a model's folder before loading."""
