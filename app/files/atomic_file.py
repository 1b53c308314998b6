"""Atomic replacement of files, with fsync: after a crash, either the old or the new file exists."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Write a private temporary file in the same folder and replace `path` by it; a failure leaves the old file."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            put_in_place(Path(file.name), path)
        except BaseException:
            Path(file.name).unlink()
            raise


def put_in_place(new: Path, path: Path) -> None:
    """Rename `new` to `path`, in the same folder, and sync the folder."""
    with new.open("rb") as file:
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries to disk; some file systems can't do that."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
