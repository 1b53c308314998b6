"""The child process in which a model is served."""
