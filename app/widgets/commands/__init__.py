"""What can be done, found by a few letters, and the keys that do it."""

from app.widgets.commands.keys_sheet import KeysSheet
from app.widgets.commands.popup import CommandPalette
from app.widgets.commands.values import Command, KeyRow

__all__ = ["Command", "CommandPalette", "KeyRow", "KeysSheet"]
