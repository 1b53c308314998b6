"""The text document of the transcript: turns, Markdown, code, selection, and following the end."""
