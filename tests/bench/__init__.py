"""Measurements, never assertions: each figure with the bar it is held to, as a ratio wherever machines differ."""
