"""Models that run elsewhere: servers of the OpenAI-compatible streaming interface, mlx_lm.server first among them."""
