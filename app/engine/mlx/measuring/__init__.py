"""Measurements: speeds of this computer, and the time of each part of a token."""
