"""What a run wrote before the program was killed is there at the next start, marked, and can be gone on with."""

import shutil
from pathlib import Path

import pytest

from app.records.database import Write, open_file
from app.records.journal_file import FILE
from app.records.purge import KEPT_S, purge
from app.records.types import RunState
from tests.records import builders
from tests.records.conftest import Opener
from tests.records.crash import killed_well


def killed_copy(opener: Opener, folder: Path, tokens: tuple[str, ...] = builders.WORDS) -> Path:
    """The files as they lie on the disk in the middle of a run."""
    journal = opener(folder / "running")
    session, turn = builders.conversation(journal)
    begun = builders.start()
    recorder = journal.begin(session, turn, begun)
    if tokens:
        builders.stream(recorder, begun.sent, tokens)
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
    database.write([Write("UPDATE detail SET summary = '{'")])
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
