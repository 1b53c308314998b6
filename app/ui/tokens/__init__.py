"""The tokens that lie under a text: their grounds, their marks, their words."""
