"""The window in which a model is served: to other programs of this machine, or by several machines together."""
