"""The window of settings: a page for each kind, values in, intents out."""
