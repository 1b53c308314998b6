"""Reads files up to a size limit and writes files atomically; errors become a `Failure`."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from app.engine.errors import named
from app.engine.types import Failure
from app.files import regular_files
from app.i18n import tr

Made = TypeVar("Made")
OTHER = tr("Open another one.")
TOO_LARGE = tr("“{name}” is too large to be a session.")


def write(path: Path, text: str) -> Failure | None:
    """Write a file atomically: if that fails, the previous file is unchanged."""
    try:
        regular_files.write_atomically(path, text.encode())
        path.chmod(0o666 & ~_umask())
    except OSError as error:
        what = tr("“{name}” could not be saved in {folder}: {why}.")
        what = what.format(name=named(path.name), folder=path.parent, why=error.strerror or error)
        return Failure(what, tr("Choose another folder."), str(error), "not saved")
    return None


def read(path: Path, largest: int, make: Callable[[BinaryIO], Made], too_large: str = TOO_LARGE) -> Made | Failure:
    """Read a regular file up to this size and convert it; return a failure for larger ones."""
    try:
        if not path.is_file():
            return Failure(tr("“{name}” is not a file.").format(name=named(path.name)), OTHER, str(path), "file")
        if path.stat().st_size > largest:
            return Failure(too_large.format(name=named(path.name)), OTHER, str(path), "file")
        with regular_files.open_regular(path, largest) as file:
            return make(file)
    except OSError as error:
        what = tr("“{name}” could not be read: {why}.").format(name=named(path.name), why=error.strerror or error)
        return Failure(what, OTHER, str(error), "file")


def _umask() -> int:
    """Return the user's umask: temporary files are private, saved ones have the usual permissions."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
