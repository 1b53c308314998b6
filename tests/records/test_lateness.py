"""A disk that takes long is told of while it does, and no longer."""

import threading
from pathlib import Path

import pytest

from app.records import lateness
from app.records.database import Database
from app.records.types import Change
from tests.late import held_back
from tests.patience import WAIT_S
from tests.records.conftest import Opener


class Told:
    """What a listener heard, and the waiting for it."""

    def __init__(self) -> None:
        self._heard = threading.Semaphore(0)

    def __call__(self, change: Change) -> None:
        if change is Change.DELAY:
            self._heard.release()

    def again(self) -> bool:
        return self._heard.acquire(timeout=WAIT_S)


def test_a_disk_that_hangs_is_told_of_until_it_has_caught_up(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lateness, "LATE_S", 0.05)
    may_write, write = held_back(Database.write)
    journal, told = opener(tmp_path), Told()
    journal.listen(told)
    monkeypatch.setattr(Database, "write", write)
    for _ in range(2):
        may_write.clear()
        assert not journal.is_late
        journal.sessions.new()
        assert told.again() and journal.is_late
        may_write.set()
        assert told.again() and not journal.is_late
    assert journal.flush()


def test_what_is_written_in_time_is_not_told_of(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lateness, "LATE_S", WAIT_S)
    journal, told = opener(tmp_path), list[Change]()
    journal.listen(told.append)
    for _ in range(50):
        journal.sessions.new()
        assert journal.flush()
    assert Change.DELAY not in told


def test_closing_a_journal_that_hangs_takes_no_longer_than_it_may(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_write = threading.Event()
    journal = opener(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Database, "write", lambda *_: may_write.wait(WAIT_S))
        journal.sessions.new()
        assert not journal.close(0.05)
        may_write.set()
        assert journal.close()


def test_a_journal_that_hung_when_it_was_closed_tells_nobody_any_more(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lateness, "LATE_S", 0.05)
    may_write, write = held_back(Database.write)
    journal, told, heard = opener(tmp_path), Told(), list[Change]()
    for listener in (told, heard.append):
        journal.listen(listener)
    monkeypatch.setattr(Database, "write", write)
    journal.sessions.new()
    assert told.again() and not journal.close(0.0)
    before = len(heard)
    may_write.set()
    assert journal.close()
    assert len(heard) == before
