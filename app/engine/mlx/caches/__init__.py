"""KV caches: of the open conversation, of inactive ones, and on disk."""
