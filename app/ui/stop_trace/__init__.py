"""A view that shows, token by token, how stop strings match and how incomplete characters are held back."""
