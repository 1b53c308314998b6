"""What was said before the journal was open is in it after the next start, whatever became of the program by then."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.records.early import PREFIX, EarlyFile, adopt
from app.records.journal import Journal
from app.records.recording import RunRecorder
from app.records.types import RunState
from tests.patience import WAIT_S
from tests.records import making
from tests.records.conftest import Opener


@pytest.fixture
def told() -> threading.Event:
    return threading.Event()


@pytest.fixture
def early(tmp_path: Path, told: threading.Event) -> Iterator[EarlyFile]:
    made = EarlyFile(tmp_path, told.set)
    yield made
    made.close(unwanted=False)
    made.wait(WAIT_S)


def said(opener: Opener, early: EarlyFile) -> tuple[Journal, RunRecorder]:
    """A journal in memory in which a run goes on."""
    journal = opener(None)
    journal.copy_to(early.put)
    recorder = journal.begin(*making.conversation(journal), making.start())
    making.stream(recorder, 0.0)
    assert journal.flush()
    return journal, recorder


def left(tmp_path: Path, early: EarlyFile) -> Path:
    """The folder of a program that died then."""
    early.close(unwanted=False)
    assert early.wait(WAIT_S)
    (folder,) = tmp_path.glob(f"{PREFIX}*")
    return folder


def texts(journal: Journal) -> list[list[str]]:
    return [[turn.text for turn in journal.sessions.turns(info.id)] for info in journal.sessions.rows()]


WHOLE = [[making.QUESTION, "".join(making.WORDS)]]


def test_a_run_that_went_on_is_there_at_the_next_start(opener: Opener, early: EarlyFile, tmp_path: Path) -> None:
    said(opener, early)
    folder = left(tmp_path, early)
    journal = opener(tmp_path)
    adopt(tmp_path, journal)
    assert texts(journal) == WHOLE
    assert [row.state for row in journal.runs.rows()] == [RunState.INTERRUPTED]
    assert not folder.exists()


@pytest.mark.parametrize("words", [2, len(making.WORDS), len(making.WORDS) + 2])
def test_what_was_handed_over_before_it_died_is_there_once(
    opener: Opener, early: EarlyFile, tmp_path: Path, words: int
) -> None:
    """As far as it got in the other one, or further."""
    memory, recorder = said(opener, early)
    left(tmp_path, early)
    other = opener(tmp_path)
    memory.hand_over(other)
    recorder.put(making.token(5, " more", 1.0))
    assert other.flush()
    (number,) = [turn.id for turn in other.sessions.turns(1)][1:]
    other.close()
    again = opener(tmp_path)
    text = "".join((*making.WORDS, " mo", "re")[:words])
    again.sessions.set_text(number, text)
    adopt(tmp_path, again)
    longest = max(text, WHOLE[0][1], key=len)
    assert texts(again) == [[making.QUESTION, longest]]


def test_what_another_holds_is_left_alone(opener: Opener, early: EarlyFile, tmp_path: Path) -> None:
    said(opener, early)
    journal = opener(tmp_path)
    while not list(tmp_path.glob(f"{PREFIX}*/journal.lock")):
        pass
    adopt(tmp_path, journal)
    assert texts(journal) == []
    folder = left(tmp_path, early)
    adopt(tmp_path, journal)
    assert texts(journal) == WHOLE and not folder.exists()


def test_where_the_journal_is_in_memory_it_stays_for_another_start(
    opener: Opener, early: EarlyFile, tmp_path: Path
) -> None:
    said(opener, early)
    folder = left(tmp_path, early)
    adopt(tmp_path, opener(None))
    assert folder.exists()


def test_what_another_journal_has_goes(opener: Opener, early: EarlyFile, tmp_path: Path) -> None:
    said(opener, early)
    early.close(unwanted=True)
    early.wait(WAIT_S)
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_is_said_there_is_nothing(early: EarlyFile, tmp_path: Path) -> None:
    assert early.holds
    early.close(unwanted=False)
    assert not early.wait(WAIT_S) and list(tmp_path.iterdir()) == []


def test_a_disk_that_refuses_is_told(opener: Opener, tmp_path: Path, told: threading.Event) -> None:
    early = EarlyFile(tmp_path / "nowhere", told.set)
    said(opener, early)
    assert told.wait(WAIT_S)
    assert not early.holds
    early.close(unwanted=False)
    assert not early.wait(WAIT_S)


def test_all_of_it_is_erased_for_good(opener: Opener, early: EarlyFile, tmp_path: Path) -> None:
    journal, _ = said(opener, early)
    assert journal.erase()() is None
    folder = left(tmp_path, early)
    found = opener(shutil.copytree(folder, tmp_path / "copy"))
    assert found.sessions.count() == 0
