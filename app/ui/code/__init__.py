"""The code of a run: the Python script and the command line that would do the same."""
