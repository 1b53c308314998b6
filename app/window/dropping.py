"""What is being dropped on the window: a model's folder or a session's file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

from app.records.session_file import SUFFIX


def folder_of(dropped: QMimeData) -> str:
    """The one folder that is being dropped, or nothing."""
    path = _path(dropped)
    return str(path) if path is not None and path.is_dir() else ""


def session_of(dropped: QMimeData) -> str:
    """The one session file that is being dropped, or nothing."""
    path = _path(dropped)
    return str(path) if path is not None and path.suffix == SUFFIX and path.is_file() else ""


def _path(dropped: QMimeData) -> Path | None:
    paths = [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
    return Path(paths[0]) if len(paths) == 1 else None
