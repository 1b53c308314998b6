"""Files read whole: only ordinary ones, and only up to a size. A pipe would be waited for, a device has no end."""

import errno
import os
import stat
from itertools import count
from pathlib import Path
from typing import BinaryIO

from app.i18n import tr


class OddFileError(OSError):
    """It is no ordinary file, or too large to be what it is taken for."""


def open_ordinary(path: Path, largest: int) -> BinaryIO:
    """The file, open for reading; nobody is waited for, whatever lies there now or in a moment."""
    _check(path.stat(), largest)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _check(os.fstat(descriptor), largest)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read(path: Path, largest: int) -> bytes:
    """All that it holds. It may grow meanwhile, and some files of the system don't tell their size."""
    with open_ordinary(path, largest) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise OddFileError(tr("it is too large"))
    return content


def at_home(path: Path | str) -> Path:
    """With `~` as the user's own folder; one of nobody stands as it is, as in a shell, where `expanduser` raises."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def is_folder(path: Path) -> bool:
    """Nothing is one where nobody may look, or where a disk has gone from under it; `Path.is_dir` raises there."""
    try:
        return path.is_dir()
    except OSError:
        return False


def set_aside(path: Path) -> Path | None:
    """Where it is now, if something stood there that is no ordinary file and would be waited for."""
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
        raise OddFileError(tr("it is not a regular file"))
    if found.st_size > largest:
        raise OddFileError(tr("it is too large"))
