"""Sluice: a native playground for local language models on mlx-lm. It shows and measures each token of an answer."""

__version__ = "0.1.0"

PROJECT_PAGE = "https://sluice.example"
"""URL of the project: a placeholder until the project is published. The program contains no other URL of it."""
RELEASES_PAGE = f"{PROJECT_PAGE}/releases"
PROBLEMS_PAGE = f"{PROJECT_PAGE}/issues"
