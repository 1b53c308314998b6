"""The comparison of several runs, or of the variants of an experiment: differences, aligned tokens, export."""
