"""The branches of a conversation: its tree, and what two of them say differently."""
