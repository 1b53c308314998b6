"""The Python script that repeats a run."""
