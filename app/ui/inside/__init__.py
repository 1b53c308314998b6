"""What stands inside the model at a token: what each of its layers would have said."""
