"""What can be done, found by a few letters, and the keys that do it."""
