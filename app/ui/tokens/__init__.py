"""Token display: backgrounds, marks and descriptions of the tokens of a text."""
