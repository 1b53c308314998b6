"""Sluice: a native playground that shows a local language model at work, and measures it truly."""

__version__ = "0.1.0"

PROJECT_PAGE = "https://sluice.example"
"""Where the project lives: a name that leads nowhere, until there is a place. Nothing else names an address of ours."""
RELEASES_PAGE = f"{PROJECT_PAGE}/releases"
PROBLEMS_PAGE = f"{PROJECT_PAGE}/issues"
