"""Sessions in the main window, also across starts."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from app import __main__ as composition
from app.engine.types import Limits, Role
from app.files import settings
from app.records import failures
from app.records.database import Database
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.sessions.controller_journal import JournalController
from app.ui.sessions.list_model import ROW
from tests.bridge.playing import ENDLESS_TEXT, reading
from tests.late import held_back
from tests.ui.desk import QUICK
from tests.ui.program import Program


@pytest.mark.slow
def test_run_stopped_by_quitting_is_no_sign_of_a_crash(program: Program) -> None:
    program.start(ENDLESS_TEXT)
    program.prompt.setPlainText("Go")
    program.find(QAbstractButton, "send").click()
    program.until(lambda: program.state.phase is Phase.GENERATING)
    program.quit()
    with reading(program.folder) as journal:
        latest = journal.sessions.latest()
    assert latest is not None
    assert latest.changed <= settings.load(program.folder)[0].closed


@pytest.mark.slow
@pytest.mark.in_korean
@pytest.mark.parametrize("words", ["moored boat", "boat moor", "나룻배"])
def test_match_of_a_search_is_marked_and_centered(program: Program, words: str) -> None:
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
    rows = [model.index(position, 0).data(ROW) for position in range(model.rowCount())]
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
def test_sessions_column_hides_in_a_narrow_window(program: Program) -> None:
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


@pytest.mark.slow
def test_session_opened_while_a_long_one_is_added_replaces_it(program: Program) -> None:
    with reading(program.folder) as journal:
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
def test_start_after_a_journal_in_memory_opens_the_last_session_of_the_file(program: Program) -> None:
    program.start()
    program.send("One")
    program.act("new_session")
    program.send("In the file")
    program.quit()
    with reading(program.folder):
        program.start()
        program.send("In memory")
        assert program.state.session == 1, "the number of another one in the file"
        program.quit()
    program.start()
    assert program.state.session == 2 and "In the file" in program.page


@pytest.mark.slow
def test_slow_write_is_shown_until_it_is_done(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program.start()
    said, delay = program.find(QLabel, "not_kept"), program.window.findChild(JournalController)
    assert isinstance(delay, JournalController)
    delay._clock.setInterval(0)
    with monkeypatch.context() as patch:
        may_write, write = held_back(Database.write)
        patch.setattr(Database, "write", write)
        patch.setattr("app.records.writer.LATE_S", 0.0)
        program.prompt.setPlainText("Typed")
        program.until(lambda: "the disk is slow" in said.text() and said.isVisible())
        may_write.set()
    program.until(lambda: not said.isVisible())


@pytest.mark.slow
def test_prompt_sent_while_the_journal_opens_waits(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    may_open, hint, unsaved = _slow_start(program, monkeypatch)
    program.until(unsaved.isVisible)
    assert "session database is still opening" in hint.text() and program.prompt.toPlainText() == "Hello"
    delay = program.window.findChild(JournalController)
    assert isinstance(delay, JournalController)
    delay._show_delay()
    assert "still opening" in program.find(QLabel, "not_kept").text()
    may_open.set()
    program.until(lambda: len(program.state.turns) == 2 and program.state.phase is Phase.READY)
    assert not hint.isVisible() and program.prompt.toPlainText() == ""
    assert [info.title.partition(":")[0] for info in program.listed()] == ["Hello"]


@pytest.mark.slow
@pytest.mark.in_korean
def test_prompt_sent_without_saving_is_answered(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    may_open, _, unsaved = _slow_start(program, monkeypatch)
    program.until(unsaved.isVisible)
    unsaved.click()
    program.until(lambda: len(program.state.turns) == 2 and program.state.phase is Phase.READY)
    assert program.find(QLabel, "notice_what").text() == failures.unsaved().what
    may_open.set()
    program.quit()
    with reading(program.folder) as journal:
        assert journal.sessions.count() == 0


def _slow_start(program: Program, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, QLabel, QAbstractButton]:
    """Send a prompt before the session database opens, which the event allows."""
    monkeypatch.setattr("app.bridge.session_store.SLOW_MS", 0)
    may_open, late = held_back(composition._journal)
    monkeypatch.setattr(composition, "_journal", late)
    program.show()
    program.until(lambda: program.state.phase is Phase.LOADING)
    program.prompt.setPlainText("Hello")
    QTest.keyClick(program.prompt, Qt.Key.Key_Return)
    hint = program.find(QWidget, "edit_hint").findChild(QLabel)
    assert hint is not None
    return may_open, hint, program.find(QAbstractButton, "send_unsaved")
