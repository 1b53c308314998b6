import errno
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.engine.types import Role
from app.records import database, journal_file
from app.records.journal import Journal, open_journal
from app.records.journal_file import FILE, LOCK
from app.records.types import JournalChange
from tests.odd_files import ODD
from tests.patience import WAIT_S
from tests.records import builders
from tests.records.conftest import Opener
from tests.records.damaging import damage, filled

NOBODY = 65534


def works(journal: Journal) -> bool:
    """Everything can be done, if only in memory."""
    session, _, run = builders.answered(journal)
    record = journal.runs.get(run)
    return record is not None and len(journal.runs.tokens(run)) == 5 and journal.sessions.get(session) is not None


class Troubles:
    """Waits until the journal tells of one: how long a try takes is the machine's affair."""

    def __init__(self, journal: Journal) -> None:
        self._told = threading.Event()
        journal.listen(lambda change: self._told.set() if change is JournalChange.TROUBLE else None)

    def wait(self) -> None:
        assert self._told.wait(WAIT_S)
        self._told.clear()


def test_flush_closed_journal_returns_at_once(tmp_path: Path) -> None:
    """Whoever comes too late is told that it can't be done, and need not find out by waiting."""
    journal = open_journal(tmp_path / "data")
    journal.close()
    assert not journal.flush(WAIT_S)
    elsewhere = tmp_path / "elsewhere"
    assert journal.save_elsewhere(elsewhere) is not None and not elsewhere.exists()
    assert journal.erase()() is not None


def test_open_journal_while_another_instance_quits_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each pause between two attempts is a step of the other one on its way out."""
    quitting = open_journal(tmp_path)
    steps = iter((lambda: None, quitting.close))
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: next(steps)())
    monkeypatch.setattr(journal_file, "time", clock)
    journal = open_journal(tmp_path, patience_s=WAIT_S)
    assert (journal.folder, journal.failure, next(steps, None)) == (tmp_path, None, None)
    journal.close()


def test_open_journal_files_are_private(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    builders.answered(journal)
    assert journal.save_elsewhere(tmp_path / "there") is None
    files = [*tmp_path.glob("journal.sqlite*"), *(tmp_path / "there").glob("journal.sqlite*")]
    assert len(files) >= 4
    assert {path.stat().st_mode & 0o077 for path in files} == {0}


def test_open_journal_of_a_second_instance_is_in_memory(opener: Opener, tmp_path: Path) -> None:
    first = opener(tmp_path)
    second = opener(tmp_path)
    assert second.failure is not None and second.failure.kind == "locked"
    assert works(second)
    assert first.sessions.count() == 0
    first.close()
    assert opener(tmp_path).failure is None


def test_open_journal_locked_file_is_in_memory(opener: Opener, tmp_path: Path) -> None:
    filled(opener, tmp_path)
    stranger = sqlite3.connect(tmp_path / FILE)
    stranger.executescript("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
    journal = opener(tmp_path)
    assert journal.failure is not None and journal.failure.kind == "locked"
    assert works(journal)
    stranger.close()
    journal.close()
    assert opener(tmp_path).sessions.count() == 1


@pytest.mark.parametrize("whose", ["newer", "another program's"])
def test_open_journal_foreign_file_is_unchanged(opener: Opener, tmp_path: Path, whose: str) -> None:
    if whose == "newer":
        filled(opener, tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("PRAGMA user_version = 99" if whose == "newer" else "CREATE TABLE addresses (name TEXT)")
    before = (tmp_path / FILE).read_bytes()
    journal = opener(tmp_path)
    assert journal.failure is not None and journal.failure.kind == "newer"
    assert works(journal)
    journal.close()
    assert (tmp_path / FILE).read_bytes() == before


def test_open_journal_after_interrupted_migration_rolls_back(opener: Opener, tmp_path: Path) -> None:
    """As an earlier version leaves it, or the way from that version to this one."""
    filled(opener, tmp_path / "data", 40)
    with closing(database.connect(tmp_path / "data" / FILE)) as writing:
        writing.execute("PRAGMA journal_mode = DELETE")
        writing.execute("PRAGMA cache_size = 1")
        writing.execute("BEGIN")
        writing.execute("UPDATE turn SET text = text || 'half written'")
        shutil.copytree(tmp_path / "data", tmp_path / "killed")
        writing.execute("ROLLBACK")
    assert (tmp_path / "killed" / f"{FILE}-journal").stat().st_size
    journal = opener(tmp_path / "killed")
    assert (journal.failure, journal.folder) == (None, tmp_path / "killed")
    assert journal.sessions.count() == 40
    assert journal.sessions.search("written") == ()


def test_open_journal_invalid_file_is_set_aside(opener: Opener, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"This is not a database. " * 100)
    journal = opener(tmp_path)
    assert journal.failure is not None and journal.failure.kind == "damaged"
    assert "no session could be read" in journal.failure.what
    assert journal.folder == tmp_path
    assert works(journal)
    aside = list(tmp_path.glob("*.damaged-*.sqlite"))
    assert [path.read_bytes() for path in aside] == [b"This is not a database. " * 100]
    assert str(aside[0]) in journal.failure.todo


def test_open_journal_torn_file_recovers_other_pages(opener: Opener, tmp_path: Path) -> None:
    filled(opener, tmp_path, 40)
    damage(tmp_path / FILE, "turn")
    before = (tmp_path / FILE).read_bytes()
    (tmp_path / LOCK).write_text(journal_file.IN_USE)  # the machine went off
    journal = opener(tmp_path)
    assert journal.failure is not None and journal.failure.kind == "damaged"
    assert journal.sessions.count() == 40
    whole = [row for row in journal.sessions.rows() if row.turns == 2]
    assert 5 <= len(whole) < 40
    assert journal.sessions.turns(whole[0].id)[1].text == "The river is wide."
    assert journal.sessions.search("river")
    aside = list(tmp_path.glob("*.damaged-*.sqlite"))
    assert [path.read_bytes() for path in aside] == [before]
    assert works(journal)


def test_open_journal_orphaned_turns_get_a_session(opener: Opener, tmp_path: Path) -> None:
    filled(opener, tmp_path, 10)
    damage(tmp_path / FILE, "session")
    (tmp_path / LOCK).write_text(journal_file.IN_USE)
    journal = opener(tmp_path)
    recovered = [row for row in journal.sessions.rows() if row.title == "Recovered"]
    assert recovered
    assert journal.sessions.count() == 10
    assert journal.sessions.turns(recovered[0].id)[1].text == "The river is wide."


def test_open_journal_damaged_files_are_both_kept(opener: Opener, tmp_path: Path) -> None:
    for content in (b"first" * 1000, b"second" * 1000):
        (tmp_path / FILE).write_bytes(content)
        opener(tmp_path).close()
    assert len(list(tmp_path.glob("*.damaged-*.sqlite"))) == 2


def test_read_damaged_page_is_reported_and_recovered_later(opener: Opener, tmp_path: Path) -> None:
    filled(opener, tmp_path, 40)
    damage(tmp_path / FILE, "turn")
    journal = opener(tmp_path)
    assert journal.failure is None
    for row in journal.sessions.rows():
        journal.sessions.turns(row.id)
    assert journal.failure is not None and journal.failure.kind == "damaged"
    journal.close()
    again = opener(tmp_path)
    assert again.failure is not None
    assert again.sessions.count() == 40


def test_open_journal_folder_that_is_a_file_is_in_memory(opener: Opener, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    journal = opener(tmp_path / "data")
    assert journal.failure is not None and journal.failure.kind == "unreachable"
    assert works(journal)


def test_open_journal_read_only_folder_is_in_memory(opener: Opener, tmp_path: Path) -> None:
    filled(opener, tmp_path)
    (tmp_path / LOCK).unlink()
    tmp_path.chmod(0o555)
    user = os.geteuid()
    try:
        if user == 0:  # who may write anywhere
            os.seteuid(NOBODY)
        journal = opener(tmp_path)
    finally:
        os.seteuid(user)
        tmp_path.chmod(0o755)
    assert journal.failure is not None and journal.failure.kind == "read-only"
    assert works(journal)


def _sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("as SQLite says it")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError(errno.EROFS, "as the system says it"), "read-only"),
        (OSError(errno.ENOSPC, "as the system says it"), "full"),
        (OSError(errno.EIO, "as the system says it"), "unreachable"),
        (_sqlite_error(sqlite3.SQLITE_FULL), "full"),
        (_sqlite_error(sqlite3.SQLITE_READONLY), "read-only"),
        (_sqlite_error(sqlite3.SQLITE_IOERR), "unreachable"),
    ],
)
def test_open_journal_refused_is_in_memory_with_failure(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError | sqlite3.Error, kind: str
) -> None:
    def refuse(*arguments: object, **named: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(
            "pathlib.Path.open" if isinstance(error, OSError) else "app.records.journal_file.open_file", refuse
        )
        journal = opener(tmp_path)
    assert journal.failure is not None
    assert (journal.failure.kind, journal.folder) == (kind, None)
    assert works(journal)


def test_write_on_a_full_disk_waits(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    session = journal.sessions.new()
    assert journal.flush()
    troubles = Troubles(journal)
    limit_pages(journal, 1)
    for number in range(20):
        journal.sessions.add_turn(session, Role.USER, f"{number} " + "long " * 2000)
    troubles.wait()
    assert journal.failure is not None and journal.failure.kind == "full"
    limit_pages(journal, 1_000_000)
    assert journal.flush()
    assert journal.failure is None
    assert len(journal.sessions.turns(session, 0, 100)) == 20


def test_write_to_a_deleted_file_is_a_failure(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    session, _, _ = builders.answered(journal)
    assert journal.flush()
    (tmp_path / FILE).rename(tmp_path / "elsewhere")
    troubles = Troubles(journal)
    turn = journal.sessions.add_turn(session, Role.USER, "Late")
    troubles.wait()
    assert journal.failure is not None and journal.failure.kind == "gone"
    (tmp_path / "elsewhere").rename(tmp_path / FILE)
    assert journal.flush()
    assert journal.failure is None
    assert journal.sessions.turns(session)[2].id == turn


def test_save_elsewhere_from_a_full_disk_saves_everything(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path / "here")
    session, _, _ = builders.answered(journal)
    troubles = Troubles(journal)
    limit_pages(journal, 1)
    turn = journal.sessions.add_turn(session, Role.USER, "unwritten " * 20_000)
    troubles.wait()
    assert journal.save_elsewhere(tmp_path / "there") is None
    assert journal.flush()
    assert (journal.failure, journal.folder) == (None, tmp_path / "there")
    assert journal.sessions.turns(session)[2].id == turn
    journal.close()
    assert opener(tmp_path / "there").sessions.turns(session)[2].id == turn
    assert opener(tmp_path / "here").failure is None


def test_save_elsewhere_from_memory_saves_everything(opener: Opener, tmp_path: Path) -> None:
    journal = opener(None)
    session, _, _ = builders.answered(journal)
    assert journal.save_elsewhere(tmp_path) is None
    assert works(journal)
    journal.close()
    again = opener(tmp_path)
    assert again.failure is None
    assert again.sessions.turns(session)[1].text == "The river is wide."
    assert again.sessions.search("river")


def test_save_elsewhere_overwrites_nothing(opener: Opener, tmp_path: Path) -> None:
    filled(opener, tmp_path)
    journal = opener(None)
    outcome = journal.save_elsewhere(tmp_path)
    assert outcome is not None and outcome.kind == "occupied"
    busy = opener(tmp_path)
    again = journal.save_elsewhere(tmp_path)
    assert again is not None and again.kind == "occupied"
    assert busy.sessions.count() == 1
    (tmp_path / "file").write_text("")
    refused = journal.save_elsewhere(tmp_path / "file")
    assert refused is not None and refused.kind == "unreachable"
    assert works(journal)


def limit_pages(journal: Journal, pages: int) -> None:
    """The disk is full from here on, as far as SQLite can tell."""
    database = journal._writer.database
    with database._writing:  # not in the middle of what the journal's own thread writes
        database._writer.execute(f"PRAGMA max_page_count = {pages}").fetchone()


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
@pytest.mark.parametrize("name", [FILE, LOCK, f"{FILE}-wal", f"{FILE}-shm"])
def test_open_journal_pipe_is_set_aside(
    opener: Opener, tmp_path: Path, name: str, make: Callable[[Path], object]
) -> None:
    filled(opener, tmp_path)
    if (tmp_path / name).exists():
        (tmp_path / name).unlink()
    make(tmp_path / name)
    journal = opener(tmp_path)
    assert works(journal)
    assert journal.folder == tmp_path
    assert os.path.lexists(tmp_path / f"{name}.aside-1")
    assert (journal.failure is None) == (name == LOCK)
    assert name == FILE or [row.title for row in journal.sessions.rows()][-1:] == ["Question 0 about rivers"]
