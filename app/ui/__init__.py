"""The window, a room for each feature: its views and its controllers side by side."""
