"""Storage of sessions and runs: the journal (session database), its exports and its comparisons."""
