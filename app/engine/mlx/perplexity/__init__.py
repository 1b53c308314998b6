"""How well a model foresees a text, and how far two are apart on it."""
