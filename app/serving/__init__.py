"""Serving of the open model with mlx_lm.server: commands, proxy and status."""
