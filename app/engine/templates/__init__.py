"""Chat templates: analysis, and rendering in a child process."""
