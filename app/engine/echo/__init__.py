"""The scripted engine: implements the engine protocol without a model; deterministic."""
