"""The code of a run: the Python script that repeats it."""
