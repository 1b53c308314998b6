"""The files that are being dropped or pasted."""

from pathlib import Path

from PySide6.QtCore import QMimeData


def paths_of(offered: QMimeData) -> tuple[Path, ...]:
    """Those of this machine, in their order; nothing where anything else is among them."""
    urls = offered.urls()
    return tuple(Path(url.toLocalFile()) for url in urls) if all(url.isLocalFile() for url in urls) else ()
