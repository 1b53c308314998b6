"""The book of sessions is closed in time, whatever hangs."""

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


@pytest.mark.parametrize("text", ["Typed", "  "])
def test_book_closed_before_its_journal_is_open_says_that_the_draft_is_lost(qtbot: QtBot, text: str) -> None:
    opens, opener = held_back(lambda: open_journal(None))
    book = Book(opener)
    book.open()
    assert book.keep_draft(0, text, Controls()) == 0
    assert book.close(moment(JOURNAL_S)) is not bool(text.strip())
    opens.set()
    assert book.tasks.wait(moment(WAIT_S))


def test_book_closed_when_its_journal_has_just_opened_keeps_the_draft(qtbot: QtBot, tmp_path: Path) -> None:
    book = Book(lambda: open_journal(tmp_path))
    book.open()
    book.keep_draft(0, "Typed", Controls())
    assert book.tasks.wait(moment(WAIT_S)) and book.journal is None
    assert book.close(moment(WAIT_S))
    with reading(tmp_path) as journal:
        (info,) = journal.sessions.rows()
        kept = journal.sessions.get(info.id)
        assert kept is not None and kept.draft == "Typed"


def test_a_journal_that_opens_when_nobody_waits_for_it_any_longer_is_closed(qtbot: QtBot, tmp_path: Path) -> None:
    opens, opener = held_back(lambda: open_journal(tmp_path))
    book = Book(opener)
    book.open()
    book.close(moment(JOURNAL_S))
    opens.set()
    assert book.tasks.wait(moment(WAIT_S))
    with reading(tmp_path) as journal:
        assert journal.failure is None
