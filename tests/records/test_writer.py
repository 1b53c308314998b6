"""The thread that writes: what a slow disk is to it, and how it ends."""

import threading
from pathlib import Path

import pytest

from app.records import writer
from app.records.database import Database
from app.records.types import Change
from tests.patience import WAIT_S
from tests.records.conftest import Opener


@pytest.fixture
def may_write(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """From now on nothing is written before this is set."""
    may_write, write = threading.Event(), Database.write

    def late(self: Database, *given: object) -> None:
        _begun.set()
        assert may_write.wait(WAIT_S)
        write(self, *given)  # type: ignore[arg-type]

    _begun.clear()
    monkeypatch.setattr(Database, "write", late)
    return may_write


_begun = threading.Event()
"""Something is being written."""


def test_journal_is_late_while_a_batch_takes_too_long(
    opener: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, may_write: threading.Event
) -> None:
    journal = opener(tmp_path)
    journal.sessions.new()
    assert _begun.wait(WAIT_S)
    monkeypatch.setattr(writer, "LATE_S", WAIT_S)
    assert not journal.is_late
    monkeypatch.setattr(writer, "LATE_S", 0.0)
    assert journal.is_late
    may_write.set()
    assert journal.close() and not journal.is_late


def test_journal_that_hangs_is_closed_in_time_and_calls_no_listener_afterwards(
    opener: Opener, tmp_path: Path, may_write: threading.Event
) -> None:
    journal, heard = opener(tmp_path), list[Change]()
    journal.listen(heard.append)
    journal.sessions.new()
    assert _begun.wait(WAIT_S) and not journal.close(0.0)
    may_write.set()
    assert journal.close() and heard == []
