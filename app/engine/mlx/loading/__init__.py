"""Loading: from a name to a model in memory that has passed a first pass."""
