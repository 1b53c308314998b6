"""Sessions in the real window, on the scripted engine: opened, left, kept, and out of the way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app import settings
from app.__main__ import build
from app.controls import Mode
from app.engine.echo import EchoEngine, Knobs
from app.engine.types import Limits, LoadRequest, Role
from app.records.journal import Journal, open_journal
from app.records.opening import FILE
from app.state import Phase, State
from app.ui.conversation.transcript import Transcript
from app.ui.sessions import SessionsColumn
from app.ui.sessions.controller_journal import JournalController
from app.ui.sessions.list_model import ROW
from app.ui.sessions.rows import Row
from app.ui.shell.main_window import MainWindow
from app.ui.shell.sessions_side import known_widths
from app.ui.widgets.notice_bar import NoticeBar

QUICK = Knobs(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
ENDLESS_TEXT = Knobs(tokens_per_second=1000, prefill_per_second=0, load_seconds=0, replies=("word " * 20_000,))
WAIT_MS = 20_000
Widget = TypeVar("Widget", bound=QWidget)


class Desk:
    """Opens the program on one folder, as often as wanted."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.windows: list[MainWindow] = []

    @property
    def window(self) -> MainWindow:
        return self.windows[-1]

    @property
    def state(self) -> State:
        return self.window.playground.state

    @property
    def journal(self) -> Journal:
        journal = self.window.playground.book.journal
        assert journal is not None
        return journal

    @property
    def prompt(self) -> QPlainTextEdit:
        return self.find(QPlainTextEdit, "prompt")

    @property
    def column(self) -> SessionsColumn:
        return self.find(SessionsColumn, "sessions")

    @property
    def page(self) -> str:
        return self.find(Transcript, "transcript").plain_text()

    def find(self, kind: type[Widget], name: str) -> Widget:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def start(self, knobs: Knobs = QUICK) -> None:
        window = build(["--data-dir", str(self.folder), "--engine", "echo"], lambda _collect: EchoEngine(knobs))
        ready: list[bool] = []
        window.playground.book.ready.connect(lambda: ready.append(True))
        self.windows.append(window)
        self.qtbot.addWidget(window)
        window.show()
        self.until(lambda: bool(ready) and self.state.phase is Phase.READY and not self.state.opening)

    def quit(self) -> None:
        assert self.window.close()

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def send(self, text: str) -> None:
        self.prompt.setPlainText(text)
        self.find(QAbstractButton, "send").click()
        self.until(lambda: self.state.phase is Phase.READY)

    def act(self, name: str) -> None:
        action = self.window.findChild(QAction, f"action_{name}")
        assert action is not None and action.isEnabled(), name
        action.trigger()

    def open(self, session: int) -> None:
        self.column.opened.emit(session)
        self.until(lambda: self.state.session == session and not self.state.opening)

    def select(self, session: int) -> None:
        """The list is read again only when the journal has told that something was written."""

        def selected() -> bool:
            self.column.list.select(session)
            return self.column.list.current() == session

        self.until(selected)


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, tmp_path)
    yield made
    for window in made.windows:
        window.close()
    made.windows.clear()


def test_what_is_recorded_on_the_way_out_is_no_sign_of_a_crash(desk: Desk) -> None:
    desk.start(ENDLESS_TEXT)
    desk.prompt.setPlainText("Go")
    desk.find(QAbstractButton, "send").click()
    desk.until(lambda: desk.state.phase is Phase.GENERATING)
    desk.quit()
    journal = open_journal(desk.folder)
    latest = journal.sessions.latest()
    journal.close()
    assert latest is not None
    assert latest.changed <= settings.load(desk.folder)[0].closed


def test_the_last_session_is_open_again(desk: Desk) -> None:
    desk.start()
    desk.send("First words")
    desk.act("new_session")
    desk.send("Second words")
    first = desk.journal.sessions.rows()[-1].id
    desk.open(first)
    desk.quit()
    desk.start()
    assert desk.state.session == first, "the one that was looked at, not the one that was changed last"
    desk.until(lambda: "First words" in desk.page)
    assert desk.find(QLabel, "finish_reason").text().startswith("stop")
    desk.act("regenerate")
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert len(desk.state.turns) == 2


def test_an_empty_page_stays_empty(desk: Desk) -> None:
    desk.start()
    desk.send("Words")
    desk.act("new_session")
    desk.quit()
    desk.start()
    assert (desk.state.session, desk.state.turns) == (0, ())


def test_each_session_keeps_what_was_typed_and_not_sent(desk: Desk) -> None:
    desk.start()
    desk.send("One")
    one = desk.state.session
    desk.prompt.setPlainText("typed in one")
    desk.act("new_session")
    assert desk.prompt.toPlainText() == ""
    desk.prompt.setPlainText("typed in two")
    desk.open(one)
    assert desk.prompt.toPlainText() == "typed in one"
    two = next(info.id for info in desk.journal.sessions.rows() if info.id != one)
    desk.open(two)
    assert desk.prompt.toPlainText() == "typed in two"
    desk.quit()
    desk.start()
    assert desk.state.session == two
    assert desk.prompt.toPlainText() == "typed in two"


def test_what_is_typed_is_kept_while_the_program_runs(desk: Desk) -> None:
    desk.start()
    desk.prompt.setPlainText("not lost")
    desk.until(lambda: desk.state.session != 0)
    kept = desk.journal.sessions.get(desk.state.session)
    assert kept is not None and kept.draft == "not lost"


def test_a_session_with_nothing_in_it_is_forgotten(desk: Desk) -> None:
    desk.start()
    desk.send("One")
    one = desk.state.session
    desk.act("new_session")
    desk.prompt.setPlainText("never mind")
    desk.until(lambda: desk.state.session != 0)
    desk.prompt.setPlainText("")
    desk.open(one)
    desk.until(lambda: [info.id for info in desk.journal.sessions.rows()] == [one])


def test_a_deleted_session_leaves_the_page_and_comes_back_to_it(desk: Desk) -> None:
    desk.start()
    desk.send("Precious words")
    session = desk.state.session
    desk.select(session)
    desk.column.list._delete()
    assert desk.state.turns == ()
    desk.until(lambda: desk.journal.sessions.count() == 0)
    desk.find(QAbstractButton, "session_undo").click()
    desk.until(lambda: desk.state.session == session and "Precious words" in desk.page)


def test_nothing_is_written_into_a_deleted_session_of_the_other_mode(desk: Desk) -> None:
    desk.start()
    desk.send("In chat")
    chat = desk.state.session
    desk.find(QWidget, "mode").chosen.emit("raw")  # type: ignore[attr-defined]
    assert (desk.state.session, desk.state.shelf.session) == (0, chat)
    desk.column.deleted.emit(chat)
    desk.find(QWidget, "mode").chosen.emit("chat")  # type: ignore[attr-defined]
    assert (desk.state.session, desk.state.turns) == (0, ())


def test_what_was_typed_is_kept_when_the_mode_is_changed(desk: Desk) -> None:
    desk.start()
    desk.send("In chat")
    chat = desk.state.session
    desk.prompt.setPlainText("not sent")
    desk.find(QWidget, "mode").chosen.emit("raw")  # type: ignore[attr-defined]
    kept = desk.journal.sessions.get(chat)
    assert kept is not None and kept.draft == "not sent"
    desk.find(QWidget, "mode").chosen.emit("chat")  # type: ignore[attr-defined]
    assert desk.prompt.toPlainText() == "not sent"


def test_a_page_that_was_sent_is_no_draft_while_the_model_writes(desk: Desk) -> None:
    desk.start(ENDLESS_TEXT)
    desk.window.playground.set_controls(replace(desk.state.controls, mode=Mode.RAW))
    desk.prompt.setPlainText("Page: ")
    desk.until(lambda: desk.state.session != 0)
    desk.find(QAbstractButton, "send").click()
    assert draft_of(desk) == ""
    desk.until(lambda: desk.state.phase is Phase.GENERATING)
    desk.find(QWidget, "mode").chosen.emit("chat")  # type: ignore[attr-defined]
    assert desk.state.controls.mode is Mode.RAW, "not in the middle of a run, though what is typed would be kept"
    assert draft_of(desk) == "", "after a crash it would stand in the place of the whole answer"


def draft_of(desk: Desk) -> str:
    kept = desk.journal.sessions.get(desk.state.session)
    assert kept is not None
    return kept.draft


def test_list_and_window_follow_what_happens(desk: Desk) -> None:
    desk.start()
    desk.send("A title of many words that goes on for long")
    session = desk.state.session
    desk.column.renamed.emit(session, "Short")
    desk.until(lambda: desk.state.title == "Short")
    desk.column.pinned.emit(session, True)
    desk.column.duplicated.emit(session)
    desk.until(lambda: desk.column.list.model().rowCount() == 4)
    assert [info.title for info in desk.journal.sessions.rows()] == ["Short", "Short (copy)"]


def test_a_session_brings_its_mode_and_controls(desk: Desk) -> None:
    desk.start()
    controls = replace(desk.state.controls, limits=Limits(7), seed=4)
    desk.window.playground.set_controls(controls)
    desk.send("In chat")
    chat = desk.state.session
    desk.window.playground.set_controls(replace(controls, mode=Mode.RAW, limits=Limits(9)))
    desk.send("Once upon a page")
    raw = desk.state.session
    assert raw != chat
    desk.open(chat)
    assert (desk.state.controls.mode, desk.state.controls.limits.max_tokens) == (Mode.CHAT, 7)
    desk.open(raw)
    assert (desk.state.controls.mode, desk.state.controls.limits.max_tokens) == (Mode.RAW, 9)
    assert desk.prompt.toPlainText().startswith("Once upon a page")


def test_what_is_found_on_another_branch_is_brought_into_sight(desk: Desk) -> None:
    desk.start(replace(QUICK, replies=("Lighthouse.", "Harbour.")))
    desk.window.playground.set_controls(replace(desk.state.controls, seed=0))
    desk.send("Where?")
    session = desk.state.session
    desk.window.playground.set_controls(replace(desk.state.controls, seed=1))
    desk.act("regenerate")
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert desk.state.turns[1].text == "Harbour."
    find(desk, "lighth")
    desk.until(lambda: "Lighthouse." in desk.page)
    assert [turn.text for turn in desk.state.turns] == ["Where?", "Lighthouse."]
    desk.act("new_session")
    find(desk, "harb")
    desk.until(lambda: desk.state.session == session and "Harbour." in desk.page)
    assert [turn.text for turn in desk.state.turns] == ["Where?", "Harbour."]


def test_what_was_not_sent_stays_on_a_page_when_something_else_is_found(desk: Desk) -> None:
    desk.start(replace(QUICK, replies=("end.\r.",)))
    desk.window.playground.set_controls(replace(desk.state.controls, mode=Mode.RAW))
    desk.send("Lighthouse ")
    session = desk.state.session
    desk.send("Harbour ")
    desk.prompt.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(desk.prompt, " Not sent.")
    for leaves in (False, True):
        if leaves:
            desk.act("new_session")
        find(desk, "lighth")
        desk.until(lambda: desk.find(NoticeBar, "notice").isVisible() and desk.state.session == session)
        assert desk.prompt.toPlainText() == "Harbour end.\n. Not sent."
        desk.find(NoticeBar, "notice").clear()
    desk.prompt.setPlainText("Harbour end.\n.")
    find(desk, "lighth")
    desk.until(lambda: desk.prompt.toPlainText() == "Lighthouse end.\n.")


def test_what_is_found_while_a_model_is_opened_comes_into_sight_when_it_is_open(desk: Desk) -> None:
    desk.start(replace(QUICK, load_seconds=0.2, replies=("Lighthouse.", "Harbour.")))
    desk.window.playground.set_controls(replace(desk.state.controls, seed=0))
    desk.send("Where?")
    desk.window.playground.set_controls(replace(desk.state.controls, seed=1))
    desk.act("regenerate")
    desk.until(lambda: desk.state.phase is Phase.READY)
    desk.act("new_session")
    desk.window.playground.load(LoadRequest("echo"))
    find(desk, "lighth")
    desk.until(lambda: bool(desk.state.turns))
    assert desk.state.phase is Phase.LOADING
    desk.until(lambda: "Lighthouse." in desk.page)


def find(desk: Desk, words: str) -> None:
    """Search, and open the first find that is no title."""
    assert desk.journal.flush()
    desk.column.search.setText(words)
    desk.column.search.returnPressed.emit()
    row = desk.column.list.model().index(0, 0).data(ROW)
    assert isinstance(row, Row) and row.excerpt and row.note == "other branch"
    QTest.keyClick(desk.column.list, Qt.Key.Key_Return)


def test_a_page_is_reopened_in_the_order_in_which_it_was_written(desk: Desk) -> None:
    desk.start(replace(QUICK, replies=("Open. <think>Or shut?</think> Open it.",), reasoning="A gate."))
    desk.window.playground.set_controls(replace(desk.state.controls, mode=Mode.RAW))
    desk.send("The gate: ")
    page, session = desk.prompt.toPlainText(), desk.state.session
    assert page == "The gate: <think>A gate.</think>Open. <think>Or shut?</think> Open it."
    desk.act("new_session")
    assert desk.prompt.toPlainText() == ""
    desk.open(session)
    assert desk.prompt.toPlainText() == page


def test_no_other_session_is_opened_during_a_run(desk: Desk) -> None:
    desk.start(ENDLESS_TEXT)
    desk.window.playground.set_controls(replace(desk.state.controls, limits=Limits(20)))
    desk.send("One")
    one = desk.state.session
    desk.act("new_session")
    desk.window.playground.set_controls(replace(desk.state.controls, limits=Limits(-1)))
    desk.window.playground.send("Two")
    desk.column.opened.emit(one)
    assert desk.state.session != one
    assert desk.find(QLabel, "sessions_held").isVisible()
    desk.act("stop")
    desk.until(lambda: desk.state.phase is Phase.READY)
    assert not desk.find(QLabel, "sessions_held").isVisible()


def test_the_column_goes_when_the_window_becomes_narrow(desk: Desk) -> None:
    desk.start()
    desk.window.resize(1300, 800)
    assert desk.column.isVisible()
    desk.window.resize(900, 600)
    assert not desk.column.isVisible()
    desk.find(QAbstractButton, "sessions_button").click()
    assert desk.column.isVisible(), "asked for, it is shown"
    desk.find(QAbstractButton, "sessions_button").click()
    desk.window.resize(1300, 800)
    assert not desk.column.isVisible(), "it was put away"
    desk.quit()
    desk.start()
    assert not desk.column.isVisible()


def test_columns_that_are_hidden_keep_their_widths() -> None:
    assert known_widths((200, 600, 250), ()) == (200, 600, 250)
    assert known_widths((0, 800, 250), (200, 600, 250)) == (200, 800, 250)
    assert known_widths((0, 800, 250), ()) == ()


def test_a_long_session_is_put_on_the_page_in_steps(desk: Desk) -> None:
    text = "".join(f"Line {number} of a long answer.\n\n" for number in range(1500))
    with _journal(desk.folder) as journal:
        session = journal.sessions.new()
        for number in range(4):
            journal.sessions.add_turn(session, Role.USER, f"Question {number}")
            journal.sessions.add_turn(session, Role.ASSISTANT, text)
    desk.start()
    assert desk.state.session == session
    transcript = desk.find(Transcript, "transcript")
    desk.until(lambda: desk.page.count("Line 1499 of a long answer.") == 4 and transcript.updatesEnabled())
    assert transcript.following
    desk.send("And now?")
    assert "And now?" in desk.page


def test_another_session_may_be_opened_while_a_long_one_is_put_down(desk: Desk) -> None:
    with _journal(desk.folder) as journal:
        short = journal.sessions.new()
        journal.sessions.add_turn(short, Role.USER, "Short question")
        long = journal.sessions.new()
        journal.sessions.add_turn(long, Role.USER, "Long question")
        journal.sessions.add_turn(long, Role.ASSISTANT, "Many words of an answer.\n\n" * 8000)
    desk.start()
    desk.open(short)
    assert "Short question" in desk.page
    assert "Many words" not in desk.page
    assert desk.find(Transcript, "transcript").updatesEnabled()


def test_a_journal_that_is_taken_is_a_notice_with_a_way_on(desk: Desk, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = open_journal(desk.folder)
    try:
        desk.start()
        said = desk.find(QLabel, "notice_what")
        assert "another Sluice has it open" in said.text()
        offer = desk.find(QAbstractButton, "notice_offer")
        assert offer.isVisible()
        desk.send("Kept in memory")
        desk.window.findChild(JournalController).save_elsewhere(str(elsewhere))  # type: ignore[union-attr]
        desk.until(lambda: str(elsewhere) in said.text())
        assert desk.journal.folder == elsewhere
        desk.quit()
    finally:
        other.close()
    with _journal(elsewhere) as journal:
        assert [info.title for info in journal.sessions.rows()] == ["Kept in memory"]


def test_a_damaged_journal_is_told_and_does_not_hold_the_window(desk: Desk) -> None:
    (desk.folder / FILE).write_bytes(b"not a database at all, " * 500)
    desk.start()
    assert "damaged" in desk.find(QLabel, "notice_what").text()
    desk.send("Words")
    assert desk.journal.folder == desk.folder


def test_a_window_that_is_closed_before_the_journal_is_open(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    before = threading.active_count()
    window = build(["--data-dir", str(tmp_path), "--engine", "echo"])
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.playground.book.journal is not None, timeout=WAIT_MS)
    assert window.close()
    assert threading.active_count() == before


@contextmanager
def _journal(folder: Path) -> Iterator[Journal]:
    """For as long as it takes to fill or read it."""
    journal = open_journal(folder)
    try:
        yield journal
    finally:
        journal.close()
