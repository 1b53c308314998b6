"""From a name to a model in memory that is known to run."""
