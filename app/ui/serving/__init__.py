"""The window that serves the open model to other programs."""
