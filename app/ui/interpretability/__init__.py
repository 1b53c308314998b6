"""What stands inside the model at a token: what each of its layers would have said, what its heads attend to,
and which words of the prompt it goes back to."""

LADDER, STRETCH, ATTENTION, STATES, WORDS = "ladder", "stretch", "attention", "states", "words"
"""What can be looked at."""
