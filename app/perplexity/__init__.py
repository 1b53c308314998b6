"""How well a model foresees a text, and how far two models are apart on it; without Qt."""
