"""A random user before the real window: seeded, so that what went wrong can be had again."""
