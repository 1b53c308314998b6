"""Generation as plain Python: no Qt anywhere in this package, and mlx only in `app.engine.mlx`."""
