"""Exports a run as a Python script that repeats it with mlx-lm alone."""

from app.engine.script.python import python_script

__all__ = ["python_script"]
