"""How a conversation becomes a prompt: chat templates, rendered in a child process, and what they are looked at for."""
