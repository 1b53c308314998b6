"""KV caches: of the open conversation, of inactive ones, on disk, and what a model's cache supports."""
