"""Messages about failures of the session database: what happened, and what to do."""

import errno
import sqlite3
from pathlib import Path

from app.engine.types import Failure
from app.i18n import tr

IN_MEMORY = tr(
    "Sessions are only in memory and will be lost when Sluice quits. To keep them, save them to another folder."
)
WAITING = tr(
    "New text is in memory, and Sluice writes it as soon as possible. You can also save the sessions to another folder."
)

_BY_CODE = {
    sqlite3.SQLITE_READONLY_DBMOVED: ("gone", tr("its file is missing")),
    sqlite3.SQLITE_FULL: ("full", tr("the disk is full")),
    sqlite3.SQLITE_READONLY: ("read-only", tr("it is read-only")),
    sqlite3.SQLITE_PERM: ("read-only", tr("it is read-only")),
    sqlite3.SQLITE_AUTH: ("read-only", tr("it is read-only")),
    sqlite3.SQLITE_BUSY: ("locked", tr("another program is using it")),
    sqlite3.SQLITE_LOCKED: ("locked", tr("another program is using it")),
    sqlite3.SQLITE_CANTOPEN: ("unreachable", tr("it could not be opened")),
    sqlite3.SQLITE_IOERR: ("unreachable", tr("the disk reports an error")),
    sqlite3.SQLITE_NOTADB: ("damaged", tr("it is damaged")),
    sqlite3.SQLITE_CORRUPT: ("damaged", tr("it is damaged")),
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
    """Return the kind of a problem with the file; empty if the written values are at fault."""
    if isinstance(error, OSError):
        return _BY_ERRNO.get(error.errno or 0, "unreachable")
    code = getattr(error, "sqlite_errorcode", 0)
    return (_BY_CODE.get(code) or _BY_CODE.get(code & 0xFF, ("", "")))[0]


def not_opened(path: Path, error: Trouble) -> Failure:
    """Return the failure for an unusable database; sessions are in memory."""
    kind = kind_of(error) or "unreachable"
    what = tr("The session database in {folder} can't be used, since {reason}.").format(
        folder=path.parent, reason=_WORDS[kind]
    )
    return Failure(what, IN_MEMORY, str(error), kind)


def unsaved() -> Failure:
    """Return the failure for a database that isn't open yet: the user didn't wait, or opening raised an error."""
    what = tr("The sessions are not saved: the session database is not open.")
    return Failure(what, IN_MEMORY, kind="unsaved")


def in_use(path: Path) -> Failure:
    """Return the failure for a database that another instance of Sluice has open."""
    what = tr("The session database in {folder} can't be used, since another Sluice has it open.").format(
        folder=path.parent
    )
    todo = tr("Close the other Sluice and start again.")
    return Failure(what.format(folder=path.parent), f"{todo} {IN_MEMORY}", kind="locked")


def newer(path: Path) -> Failure:
    what = tr("The session database in {folder} can't be used, since a newer Sluice or another program has written it.")
    todo = tr("Update Sluice. The file wasn't changed.")
    return Failure(what.format(folder=path.parent), f"{todo} {IN_MEMORY}", kind="newer")


def set_aside(aside: Path, sessions: int) -> Failure:
    """Return the message about a damaged database, whose readable content was copied to a new one."""
    what = tr("The session database was damaged: no session could be read.")
    if sessions:
        what = tr(
            "The session database was damaged: %n sessions were recovered.",
            "The session database was damaged: %n session was recovered.",
            sessions,
        )
    return Failure(what, tr("The damaged file is now {file}.").format(file=aside), kind="damaged")


def was_odd(aside: Path) -> Failure:
    """Return the message about a pipe, folder or device at the database's path."""
    what = tr("The path of the session database was not a regular file, so Sluice has made a new one.")
    return Failure(what, tr("The old path is now {file}.").format(file=aside), kind="damaged")


def not_written(path: Path | None, error: Trouble) -> Failure:
    kind = kind_of(error) or "unreachable"
    what = tr("The session database can't be written, since {reason}.")
    if path is not None:
        what = tr("The session database in {folder} can't be written, since {reason}.")
    return Failure(_filled(what, path, kind), WAITING, str(error), kind)


def not_read(path: Path | None, error: Trouble) -> Failure:
    kind = kind_of(error) or "unreachable"
    what = tr("The session database can't be read, since {reason}.")
    if path is not None:
        what = tr("The session database in {folder} can't be read, since {reason}.")
    todo = tr("Restart Sluice: it renames a damaged file and recovers the readable sessions.")
    return Failure(_filled(what, path, kind), todo, str(error), kind)


def unread(error: Exception) -> Failure:
    """Return the failure for an unreadable run; all others can be read."""
    what = tr("A run in the session database is damaged. It is listed, but exports and comparisons omit it.")
    return Failure(what, tr("Report this with the details."), f"{type(error).__name__}: {error}", "unread")


def not_saved(folder: Path, error: Trouble) -> Failure:
    kind = kind_of(error) or "unreachable"
    what = tr("The sessions could not be saved in {folder}, since {reason}.").format(folder=folder, reason=_WORDS[kind])
    return Failure(what, tr("Choose another folder."), str(error), kind)


def not_erased(path: Path | None, error: Trouble) -> Failure:
    """Return the failure of an erasure: nothing was deleted, or deleted content may still be in the file."""
    kind = kind_of(error) or "unreachable"
    what = tr("The session database could not be erased, since {reason}.")
    if path is not None:
        what = tr("The session database in {folder} could not be erased, since {reason}.")
    return Failure(_filled(what, path, kind), tr("Close other programs that read it, and try again."), str(error), kind)


def occupied(folder: Path) -> Failure:
    what = tr("{folder} already has a session database.").format(folder=folder)
    return Failure(what, tr("Choose another folder."), kind="occupied")


def left_out(error: Exception) -> Failure:
    """Return the failure for one change that was not written; all others were."""
    what = tr("One change could not be saved in the session database.")
    return Failure(what, tr("The rest is saved; report this with the details."), f"{type(error).__name__}: {error}")


def _filled(what: str, path: Path | None, kind: str) -> str:
    return what.format(folder=path.parent if path is not None else "", reason=_WORDS[kind])
