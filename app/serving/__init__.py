"""A server of one's own: the command that starts it, alone or over several machines, and what is known of it."""
