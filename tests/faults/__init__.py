"""Attacks: what the program is given that nobody would give it, and what of it is lost."""
