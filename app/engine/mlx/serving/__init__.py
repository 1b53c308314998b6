"""The child process that serves a model."""
