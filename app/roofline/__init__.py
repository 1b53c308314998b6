"""How fast a model could write on this machine at the most, and what keeps it from that."""
