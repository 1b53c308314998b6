"""Models: what is on this disk, what the hub has, what fits, and downloads."""
