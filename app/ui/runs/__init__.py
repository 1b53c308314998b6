"""The runs as a table, one run's receipt, and several runs compared."""
