"""Plots: shared parts, and the speed curves that several windows show."""
