"""Sessions in the main window: on the page, at the next start, and where the window is narrow."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from app import settings
from app.__main__ import build
from app.engine.types import Failure, Limits, Role
from app.records.journal import Journal, open_journal
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.sessions.list_model import ROW
from app.ui.shell.window_state import known_widths
from app.ui.widgets.notice_bar import NoticeBar
from tests.ui.program import ENDLESS_TEXT, QUICK, Program


def test_what_is_recorded_on_the_way_out_is_no_sign_of_a_crash(program: Program) -> None:
    program.start(ENDLESS_TEXT)
    program.prompt.setPlainText("Go")
    program.find(QAbstractButton, "send").click()
    program.until(lambda: program.state.phase is Phase.GENERATING)
    program.quit()
    journal = open_journal(program.folder)
    latest = journal.sessions.latest()
    journal.close()
    assert latest is not None
    assert latest.changed <= settings.load(program.folder)[0].closed


@pytest.mark.slow
@pytest.mark.in_korean
@pytest.mark.parametrize("words", ["moored boat", "boat moor", "나룻배"])
def test_what_is_found_is_marked_and_in_the_middle(program: Program, words: str) -> None:
    line = "The moored boat, 나룻배, waits."
    filling = "\n\n".join(f"Paragraph {number} says nothing of it." for number in range(60))
    program.start(replace(QUICK, replies=(f"{filling}\n\n{line}\n\n{filling}",)))
    program.window.playground.set_controls(replace(program.state.controls, limits=Limits(5_000)))
    program.send("Where?")
    session = program.state.session
    program.act("new_session")
    program.send("Something else")
    assert program.journal.flush()
    program.column.search.setText(words)
    program.column.search.returnPressed.emit()
    model = program.column.list.model()
    rows = [model.index(place, 0).data(ROW) for place in range(model.rowCount())]
    assert [row.session.id for row in rows].count(session) == 1
    program.column.list.select(session)
    QTest.keyClick(program.column.list, Qt.Key.Key_Return)
    program.until(lambda: program.state.session == session and not program.state.opening)
    page = program.find(Transcript, "transcript")
    program.until(lambda: page.textCursor().selectedText() in ("moored boat", "moor", "나룻배"))
    middle, height = page.cursorRect().center().y(), page.viewport().height()
    assert height / 4 < middle < 3 * height / 4
    marked = [each.cursor.selectedText() for each in page.extraSelections()]
    assert page.textCursor().selectedText() in marked
    assert QApplication.focusWidget() is program.prompt


@pytest.mark.slow
def test_the_column_goes_when_the_window_becomes_narrow(program: Program) -> None:
    program.start()
    program.window.resize(1300, 800)
    assert program.column.isVisible()
    program.window.resize(900, 600)
    assert not program.column.isVisible()
    program.find(QAbstractButton, "sessions_button").click()
    assert program.column.isVisible(), "asked for, it is shown"
    program.find(QAbstractButton, "sessions_button").click()
    program.window.resize(1300, 800)
    assert not program.column.isVisible(), "it was put away"
    program.quit()
    program.start()
    assert not program.column.isVisible()


def test_columns_that_are_hidden_keep_their_widths() -> None:
    assert known_widths((200, 600, 250), ()) == (200, 600, 250)
    assert known_widths((0, 800, 250), (200, 600, 250)) == (200, 800, 250)
    assert known_widths((0, 800, 250), ()) == ()


@pytest.mark.slow
def test_a_long_session_is_put_on_the_page_in_steps(program: Program) -> None:
    text = "".join(f"Line {number} of a long answer.\n\n" for number in range(1500))
    with _journal(program.folder) as journal:
        session = journal.sessions.new()
        for number in range(4):
            journal.sessions.add_turn(session, Role.USER, f"Question {number}")
            journal.sessions.add_turn(session, Role.ASSISTANT, text)
    program.start()
    assert program.state.session == session
    transcript = program.find(Transcript, "transcript")
    program.until(lambda: program.page.count("Line 1499 of a long answer.") == 4 and transcript.updatesEnabled())
    assert transcript.following
    program.send("And now?")
    assert "And now?" in program.page


@pytest.mark.slow
def test_another_session_may_be_opened_while_a_long_one_is_put_down(program: Program) -> None:
    with _journal(program.folder) as journal:
        short = journal.sessions.new()
        journal.sessions.add_turn(short, Role.USER, "Short question")
        long = journal.sessions.new()
        journal.sessions.add_turn(long, Role.USER, "Long question")
        journal.sessions.add_turn(long, Role.ASSISTANT, "Many words of an answer.\n\n" * 8000)
    program.start()
    program.open(short)
    assert "Short question" in program.page
    assert "Many words" not in program.page
    assert program.find(Transcript, "transcript").updatesEnabled()


@pytest.mark.slow
def test_a_failed_run_leaves_what_is_told_of_the_journal(program: Program) -> None:
    """And does not have it told once more when that is past."""
    with _journal(program.folder):
        program.start(replace(QUICK, run_failure=Failure("It broke.", "Retry.")))
        bar, told = program.find(NoticeBar, "notice"), list[str]()
        bar.told.connect(told.append)
        for text in ("One", "Two"):
            program.send(text)
            assert bar.isVisible()
        assert not told
        program.quit()


@pytest.mark.slow
def test_a_window_that_is_closed_before_the_journal_is_open(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    window = build(["--data-dir", str(tmp_path), "--engine", "echo"])
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.playground.book.journal is not None)
    assert window.close()
    assert set(threading.enumerate()) <= before


@contextmanager
def _journal(folder: Path) -> Iterator[Journal]:
    """For as long as it takes to fill or read it."""
    journal = open_journal(folder)
    try:
        yield journal
    finally:
        journal.close()
