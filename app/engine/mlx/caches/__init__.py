"""KV caches: of the open conversation, of those that were left, on the disk, and what a model's can be used for."""
