"""Whichever step a rescue dies at, the next start has all that could be read, and says so."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.records import journal_file
from app.records.database import connect
from app.records.journal_file import FILE, LOCK
from tests.records.conftest import Opener
from tests.records.damaging import damage, filled

SESSIONS = 40


@contextmanager
def kept_at_each_step(folder: Path, into: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """What a kill would leave of the folder, before and after each step of whatever is done in it."""
    copies: list[Path] = []

    def keep() -> None:
        copies.append(into / f"{len(copies)}")
        shutil.copytree(folder, copies[-1])

    def watched(step: Callable[..., Any]) -> Callable[..., Any]:
        def do(*given: Any, **named: Any) -> Any:
            keep()
            done = step(*given, **named)
            keep()
            return done

        return do

    with monkeypatch.context() as patch:
        for name in ("rename", "replace", "unlink", "fsync"):
            patch.setattr(os, name, watched(getattr(os, name)))
        patch.setattr(journal_file, "_copy_table", watched(journal_file._copy_table))
        yield copies


@pytest.mark.slow
def test_rescue_killed_at_any_step_is_completed(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    filled(opener, data, SESSIONS)
    damage(data / FILE, "turn")
    before = (data / FILE).read_bytes()
    for companion in ("-wal", "-shm"):  # as a crash leaves them
        (data / f"{FILE}{companion}").write_bytes(b"")
    (data / LOCK).write_text(journal_file.IN_USE)
    with kept_at_each_step(data, tmp_path / "copies", monkeypatch) as copies:
        journal = opener(data)
    expected = journal.sessions.rows(0, SESSIONS)
    assert len(expected) == SESSIONS
    assert len(copies) > 20
    for copy in copies:
        over = not list(copy.glob(f"*{journal_file.RESCUED}")) and list(copy.glob("*.damaged-*"))
        again = opener(copy)
        assert again.sessions.rows(0, SESSIONS) == expected, copy
        assert over or (again.failure is not None and again.failure.kind == "damaged"), copy
        again.close()
        assert [path.read_bytes() for path in copy.glob("*.damaged-*.sqlite")] == [before], copy
        assert not list(copy.glob(f"*{journal_file.RESCUED}"))
        assert opener(copy).failure is None


def test_rescue_on_a_full_disk_is_not_partial(opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was damaged stays where it is found again: with room, all that can be read is there."""
    filled(opener, tmp_path, SESSIONS)
    damage(tmp_path / FILE, "turn")
    (tmp_path / LOCK).write_text(journal_file.IN_USE)

    def small(path: Path, read_only: bool = False) -> sqlite3.Connection:
        connection = connect(path, read_only=read_only)
        if not read_only:
            connection.execute("PRAGMA max_page_count = 20")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(journal_file, "connect", small)
        full = opener(tmp_path)
        assert full.folder is None
        assert full.failure is not None and full.failure.kind == "full"
        full.close()
    assert not list(tmp_path.glob("*.new*")), "it takes room"
    journal = opener(tmp_path)
    assert journal.failure is not None and journal.failure.kind == "damaged"
    assert len(journal.sessions.rows(0, SESSIONS)) == SESSIONS
