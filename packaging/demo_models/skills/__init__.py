"""What the demo models are taught, one skill a module."""
