"""The window in which it is measured where a run's time goes, and what this machine can do."""
