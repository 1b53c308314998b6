"""Exports a run as a Python script that repeats it with mlx-lm alone."""

from app.engine.script.python import can_stream, python_script

__all__ = ["can_stream", "python_script"]
