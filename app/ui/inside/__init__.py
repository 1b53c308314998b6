"""What stands inside the model at a token: what each of its layers would have said, what its heads attend to."""

LADDER, STRETCH, ATTENTION, STATES = "ladder", "stretch", "attention", "states"
"""What can be looked at."""
