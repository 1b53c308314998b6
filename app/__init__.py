"""Sluice: a native playground that shows a local language model at work, and measures it truly."""

__version__ = "0.1.0"
