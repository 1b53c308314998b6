"""A file that takes another's place in one step, and is on the disk by then: a crash leaves one of the two."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def put_in_place(new: Path, path: Path) -> None:
    """`new`, which lies in the same folder, is `path` from now on."""
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What its files are called is on the disk; there are systems that can't be asked for that."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
