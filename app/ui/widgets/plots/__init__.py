"""Plots: what all of them have in common, and the speed curves that several windows show."""
