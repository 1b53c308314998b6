"""The prompt: the editor, the exact prompt token by token, and the prompt warnings."""
