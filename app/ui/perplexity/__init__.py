"""A text, weighed: what a change of the model costs on it."""
