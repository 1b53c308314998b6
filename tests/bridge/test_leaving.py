"""The book of sessions is closed in time, whatever hangs."""

from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app import leaving
from app.bridge.book import Book
from app.controls import Controls
from app.engine.types import Role
from app.leaving import JOURNAL_S, moment
from app.records.journal import open_journal
from app.state import Turn
from tests.bridge.playing import reading
from tests.late import held_back
from tests.patience import WAIT_S


def test_a_look_at_files_that_hangs_leaves_the_journal_its_share(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As large a share as a busy disk may need, and no longer than the look hangs."""
    monkeypatch.setattr(leaving, "JOURNAL_S", WAIT_S / 2)
    ends, look = held_back(lambda: None)
    book = Book(lambda: open_journal(tmp_path))
    with qtbot.waitSignal(book.ready):
        book.open()
    book.keep(0, (Turn(Role.USER, "Late"),), (), Controls())
    book.tasks.start(book.tasks.in_thread(look))
    try:
        assert book.close(moment(WAIT_S / 2))
    finally:
        ends.set()
    with reading(tmp_path) as journal:
        assert [info.title for info in journal.sessions.rows()] == ["Late"]


def test_a_journal_in_memory_that_hangs_keeps_nobody_from_leaving(qtbot: QtBot, tmp_path: Path) -> None:
    """Another one was opened in the last moment, and is to take over."""
    with closing(open_journal(tmp_path)) as opened:
        book = Book(lambda: opened)
        book.open()
        book.keep(0, (Turn(Role.USER, "Early"),), (), Controls())
        assert book.tasks.wait(moment()) and book.journal is not None and book.lasting is book.journal
        went_on: list[bool] = []
        goes_on, hang = held_back(lambda: went_on.append(True))
        book.journal._writer.do(hang)
        try:
            book.close(moment(JOURNAL_S))
            assert not went_on
        finally:
            goes_on.set()


def test_a_journal_that_opens_when_nobody_waits_for_it_any_longer_is_closed(qtbot: QtBot, tmp_path: Path) -> None:
    opens, opener = held_back(lambda: open_journal(tmp_path))
    book = Book(opener)
    book.open()
    book.close(moment(JOURNAL_S))
    opens.set()
    assert book.tasks.wait(moment(WAIT_S))
    with reading(tmp_path) as journal:
        assert journal.failure is None


def test_a_journal_that_took_nothing_over_is_closed(qtbot: QtBot, tmp_path: Path) -> None:
    """It is open, and the one in memory hangs."""
    with closing(open_journal(tmp_path)) as opened:
        book = Book(lambda: opened)
        book.open()
        assert book.tasks.wait(moment(WAIT_S)) and book.journal is not None
        goes_on, hang = held_back(lambda: None)
        book.journal._writer.do(hang)
        try:
            book.close(moment(JOURNAL_S))
            qtbot.waitUntil(lambda: not opened._writer.do(lambda: None))
        finally:
            goes_on.set()
