"""The window itself: lays the features out, connects them, keeps its place and leaves cleanly."""
