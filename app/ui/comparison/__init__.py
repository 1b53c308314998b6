"""The comparison of several runs: a view that other windows embed, and a window of its own."""
