"""A file that takes another's place in one step, and is on the disk by then: a crash leaves one of the two."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Beside its place first, for nobody else to read; what was there stays if that fails."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".new", delete=False) as file:
        try:
            file.write(content)
            file.flush()
            put_in_place(Path(file.name), path)
        except BaseException:
            Path(file.name).unlink()
            raise


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
