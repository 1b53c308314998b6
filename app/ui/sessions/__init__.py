"""The column of sessions: listed by day, searched, renamed, pinned, duplicated, deleted and brought back."""

from app.ui.sessions.column import SessionsColumn

__all__ = ["SessionsColumn"]
