"""What is being dropped on the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData

from app.records.session_file import SUFFIX


def path_of(dropped: QMimeData) -> str:
    """The one folder or session file that is being dropped, or nothing."""
    paths = [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile()]
    if len(paths) != 1:
        return ""
    path = paths[0]
    return str(path) if path.is_dir() or (path.suffix == SUFFIX and path.is_file()) else ""
