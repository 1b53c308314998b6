"""Models on OpenAI-compatible servers, such as mlx_lm.server."""
