"""The prompt: the field, the exact prompt token by token, the sanity lights."""
