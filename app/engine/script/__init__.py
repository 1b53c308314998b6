"""A run as code: the Python script or the command that makes mlx-lm alone do the same again."""

from app.engine.script.command import Command, command_of, without_keys
from app.engine.script.python import python_of

__all__ = ["Command", "command_of", "python_of", "without_keys"]
