"""What can go wrong with the journal's file, each as one sentence and a next step."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from app.engine.types import Failure

IN_MEMORY = "Everything works, but nothing outlives the program: save the sessions elsewhere to keep them."
WAITING = "What comes now waits in memory and is written as soon as that changes; or save the sessions elsewhere."

_BY_CODE = {
    sqlite3.SQLITE_FULL: ("full", "the disk is full"),
    sqlite3.SQLITE_READONLY: ("read-only", "it may not be written to"),
    sqlite3.SQLITE_PERM: ("read-only", "it may not be written to"),
    sqlite3.SQLITE_AUTH: ("read-only", "it may not be written to"),
    sqlite3.SQLITE_BUSY: ("locked", "another program is using it"),
    sqlite3.SQLITE_LOCKED: ("locked", "another program is using it"),
    sqlite3.SQLITE_CANTOPEN: ("unreachable", "it could not be opened"),
    sqlite3.SQLITE_IOERR: ("unreachable", "the disk does not answer as it should"),
    sqlite3.SQLITE_NOTADB: ("damaged", "it is damaged"),
    sqlite3.SQLITE_CORRUPT: ("damaged", "it is damaged"),
}
_BY_ERRNO = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full",
    errno.EACCES: "read-only",
    errno.EPERM: "read-only",
    errno.EROFS: "read-only",
}
_WORDS = dict(_BY_CODE.values())

Trouble = sqlite3.Error | OSError


def kind_of(error: Trouble) -> str:
    """One word for what is wrong; empty for an error that lies in what was to be written, not in the file."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, "unreachable")
    code = getattr(error, "sqlite_errorcode", 0)
    return _BY_CODE.get(code & 0xFF, ("", ""))[0]


def not_opened(path: Path, error: Trouble) -> Failure:
    """The journal goes on in memory."""
    kind = kind_of(error) or "unreachable"
    what = f"The journal in {path.parent} can't be used, since {_WORDS[kind]}."
    return Failure(what, IN_MEMORY, str(error), kind)


def taken(path: Path) -> Failure:
    """Another instance of the program has it."""
    what = f"The journal in {path.parent} can't be used, since another Sluice has it open."
    return Failure(what, f"Close the other one and start again. {IN_MEMORY}", kind="locked")


def newer(path: Path) -> Failure:
    what = f"The journal in {path.parent} can't be used, since a newer Sluice or another program has written it."
    return Failure(what, f"Update Sluice; the file was left as it is. {IN_MEMORY}", kind="newer")


def set_aside(aside: Path, sessions: int) -> Failure:
    """The journal was damaged; a new one has what could be read."""
    saved = (
        f"{sessions} session{'s' * (sessions != 1)} could be read and are here" if sessions else "none could be read"
    )
    what = f"The journal was damaged: {saved}."
    return Failure(what, f"The damaged file is kept as {aside}.", kind="damaged")


def not_written(path: Path | None, error: Trouble) -> Failure:
    """While the program runs."""
    kind = kind_of(error) or "unreachable"
    where = f" in {path.parent}" if path is not None else ""
    return Failure(f"The journal{where} can't be written, since {_WORDS[kind]}.", WAITING, str(error), kind)


def not_read(path: Path | None, error: Trouble) -> Failure:
    """While the program runs."""
    kind = kind_of(error) or "unreachable"
    where = f" in {path.parent}" if path is not None else ""
    todo = "Restart Sluice: it sets a damaged file aside and recovers what can be read."
    return Failure(f"The journal{where} can't be read, since {_WORDS[kind]}.", todo, str(error), kind)


def not_saved(folder: Path, error: Trouble) -> Failure:
    kind = kind_of(error) or "unreachable"
    what = f"The sessions could not be saved in {folder}, since {_WORDS[kind]}."
    return Failure(what, "Choose another folder.", str(error), kind)


def occupied(folder: Path) -> Failure:
    return Failure(f"There is a journal in {folder} already.", "Choose another folder.", kind="occupied")


def left_out(error: Exception) -> Failure:
    """One change could not be written, and the rest was."""
    what = "One change could not be kept in the journal."
    return Failure(what, "The rest is kept; report this with the details.", f"{type(error).__name__}: {error}")
