"""Reading of regular files up to a size, since a pipe would block and a device is endless; atomic replacement."""

import errno
import os
import stat
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

from app.i18n import tr


class IrregularFileError(OSError):
    """The path is not a regular file, or the file is too large."""


def open_regular(path: Path, largest: int) -> BinaryIO:
    """Open a regular file for reading; never block on a pipe."""
    _check(path.stat(), largest)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _check(os.fstat(descriptor), largest)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read(path: Path, largest: int) -> bytes:
    """Read all of a file, up to the limit: it may grow meanwhile, and some system files report no size."""
    with open_regular(path, largest) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise IrregularFileError(tr("it is too large"))
    return content


def expand_home(path: Path | str) -> Path:
    """Expand `~`; an unknown user's stays as it is, where `expanduser` raises."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def is_folder(path: Path) -> bool:
    """Return whether the path is a folder; False also for I/O and permission errors, where `Path.is_dir` raises."""
    try:
        return path.is_dir()
    except OSError:
        return False


def set_aside(path: Path) -> Path | None:
    """Rename a pipe, device, folder or link that is not a regular file; return its new path, or None."""
    try:
        if stat.S_ISREG(path.stat().st_mode):
            return None
    except OSError as error:
        if error.errno != errno.ELOOP:
            return None
    names = (path.with_name(f"{path.name}.aside-{number}") for number in count(1))
    return path.rename(next(each for each in names if not os.path.lexists(each)))


def _check(found: os.stat_result, largest: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise IrregularFileError(tr("it is not a regular file"))
    if found.st_size > largest:
        raise IrregularFileError(tr("it is too large"))


def write_atomically(path: Path, content: bytes) -> None:
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
