"""Checks model folders before loading."""
