"""The engine on mlx-lm: the only package that imports mlx and mlx_lm."""
