"""A text document that grows at its end: turns, Markdown, code, selection, following."""
