"""The scripted engine: the whole protocol, deterministic and without a model."""
