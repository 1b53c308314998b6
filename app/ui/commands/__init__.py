"""The command palette and the keyboard shortcuts."""
