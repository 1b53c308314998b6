"""The conversation: the transcript, its branches, how a run ended."""
