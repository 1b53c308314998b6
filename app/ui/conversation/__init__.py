"""The conversation: transcript, branches, and finish reasons."""
