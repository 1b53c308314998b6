"""Files that the user names: read with a limit, written whole or not at all. What fails is a sentence."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from app.engine.types import Failure


def write(path: Path, text: str) -> Failure | None:
    """Write it beside its place first, then put it there: what was there stays if that fails."""
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=path.parent, delete=False) as file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink()
                raise
        path.chmod(0o666 & ~_umask())
    except OSError as error:
        what = f"“{path.name}” could not be saved in {path.parent}: {error.strerror or error}."
        return Failure(what, "Choose another folder.", str(error), "not saved")
    return None


def read(path: Path, largest: int) -> bytes | Failure:
    """The content of an ordinary file that is not larger than this."""
    try:
        if not path.is_file():
            return Failure(f"“{path.name}” is no file.", "Open another one.", str(path), "file")
        if path.stat().st_size > largest:
            return Failure(f"“{path.name}” is too large to be a session.", "Open another one.", str(path), "file")
        return path.read_bytes()
    except OSError as error:
        what = f"“{path.name}” could not be read: {error.strerror or error}."
        return Failure(what, "Open another one.", str(error), "file")


def _umask() -> int:
    """A temporary file is nobody else's business; a saved one is as open as others."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
