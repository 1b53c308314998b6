"""Stop strings and characters, step by step."""
