"""The column of sessions: a list by day, with search, renaming, pinning, duplication, deletion and Undo."""

from app.ui.sessions.column import SessionsColumn

__all__ = ["SessionsColumn"]
