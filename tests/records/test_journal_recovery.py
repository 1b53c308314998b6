import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.records import journal_file
from app.records.database import SqlWrite, connect, open_file
from app.records.journal_file import FILE, LOCK
from app.records.purge import KEPT_S, purge
from app.records.types import RunState
from tests.records import builders
from tests.records.conftest import Opener
from tests.records.crash import killed_well
from tests.records.damaging import damage, filled


def killed_copy(opener: Opener, folder: Path, tokens: tuple[str, ...] = builders.WORDS) -> Path:
    """The files as they lie on the disk in the middle of a run."""
    journal = opener(folder / "running")
    _, recorder, sent = builders.begin(journal)
    if tokens:
        builders.stream(recorder, sent, tokens)
    assert journal.flush()
    shutil.copytree(folder / "running", folder / "killed")
    return folder / "killed"


def test_interrupted_run_keeps_its_text(opener: Opener, tmp_path: Path) -> None:
    journal = opener(killed_copy(opener, tmp_path))
    assert journal.failure is None
    session = journal.sessions.rows()[0]
    assert session.interrupted
    answer = journal.sessions.turns(session.id)[1]
    assert answer.text == "The river is wide."
    record = builders.record_of(journal, answer.runs[0])
    assert (record.state, record.finish, record.text) == (RunState.INTERRUPTED, None, answer.text)
    assert record.prompt == builders.PROMPT
    assert record.ids == (100, 101, 102, 103, 104)
    assert record.summary is not None
    assert record.summary.figures.speed_mean == pytest.approx(10.0)
    assert record.summary.gaps is not None
    assert [hit.turn for hit in journal.sessions.search("wide")] == [answer.id]


def test_interrupted_run_without_figures_keeps_its_text(opener: Opener, tmp_path: Path) -> None:
    folder = killed_copy(opener, tmp_path)
    database = open_file(folder / FILE)
    database.write([SqlWrite("UPDATE detail SET summary = '{'")])
    database.close()
    journal = opener(folder)
    assert journal.failure is None
    assert journal.sessions.turns(journal.sessions.rows()[0].id)[1].text == "The river is wide."


def test_interrupted_run_can_be_continued(opener: Opener, tmp_path: Path) -> None:
    journal = opener(killed_copy(opener, tmp_path))
    session = journal.sessions.rows()[0].id
    answer = journal.sessions.turns(session)[1]
    begun = builders.start()
    recorder = journal.begin(session, answer.id, begun)
    builders.stream(recorder, begun.sent, (" Deep.",))
    recorder.finish(builders.finish(begun.sent, 1))
    assert journal.flush()
    assert journal.sessions.turns(session)[1].text == "The river is wide. Deep."
    assert not journal.sessions.rows()[0].interrupted


def test_interrupted_before_first_token_is_marked(opener: Opener, tmp_path: Path) -> None:
    journal = opener(killed_copy(opener, tmp_path, ()))
    row = journal.runs.rows()[0]
    assert (row.state, row.tokens) == (RunState.INTERRUPTED, 0)
    record = builders.record_of(journal, row.id)
    assert (record.summary, record.prompt) == (None, None)


def test_interrupted_run_is_marked_once(opener: Opener, tmp_path: Path) -> None:
    folder = killed_copy(opener, tmp_path)
    opener(folder).close()
    journal = opener(folder)
    assert journal.sessions.turns(journal.sessions.rows()[0].id)[1].text == "The river is wide."


def test_deleted_sessions_are_purged(opener: Opener, tmp_path: Path) -> None:
    journal = opener(tmp_path)
    kept, _, _ = builders.answered(journal)
    gone, _, _ = builders.answered(journal)
    journal.sessions.delete(gone)
    assert journal.flush()
    database = journal._writer.database
    purge(database)
    assert database.read("SELECT count(*) FROM session") == [(2,)]
    purge(database, now=2 * KEPT_S + 4e9)
    assert database.read("SELECT id FROM session") == [(kept,)]
    assert database.read("SELECT count(*) FROM batch") == [(1,)]
    assert database.read("SELECT count(*) FROM turn_words WHERE turn_words MATCH 'wide'") == [(1,)]
    assert (tmp_path / FILE).is_file()


@pytest.mark.slow
def test_program_killed_in_the_middle_of_a_stream_loses_nothing_older_than_half_a_second() -> None:
    assert killed_well(4, seeds=(11, 12, 13))


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
