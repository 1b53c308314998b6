"""How fast this machine is, and where a token's time goes."""
