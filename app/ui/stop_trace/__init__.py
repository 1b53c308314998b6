"""Stop strings and characters, gone through token by token."""
