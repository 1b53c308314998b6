"""Paths in dropped or pasted data."""

from pathlib import Path

from PySide6.QtCore import QMimeData


def paths_of(offered: QMimeData) -> tuple[Path, ...]:
    """Return the local paths in order; empty if the data contains anything else."""
    urls = offered.urls()
    return tuple(Path(url.toLocalFile()) for url in urls) if all(url.isLocalFile() for url in urls) else ()
