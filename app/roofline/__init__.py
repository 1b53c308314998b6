"""Memory-bandwidth limit (roofline) of a model on this machine, and what limits its speed."""
