"""Sessions in the real window, on the scripted engine: opened, left, kept, and out of the way."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app import leaving, settings
from app.__main__ import build
from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine
from app.engine.types import Failure, FormKind, Limits, LoadRequest, Role
from app.presets import Preset
from app.records import failures
from app.records.database import Database
from app.records.journal import Journal, open_journal
from app.records.opening import FILE
from app.state import Phase
from app.ui.controls import ControlsPanel
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from app.ui.sessions import controller
from app.ui.sessions.controller import SessionsController
from app.ui.sessions.controller_journal import JournalController
from app.ui.sessions.list_model import ROW
from app.ui.sessions.rows import Row
from app.ui.shell.window_state import known_widths
from app.ui.widgets.notice_bar import NoticeBar
from app.words import tr
from tests.bridge.playing import read_late
from tests.late import held_back
from tests.patience import WAIT_S
from tests.ui.program import ENDLESS_TEXT, QUICK, Program, opened_late


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


def test_the_last_session_is_open_again(program: Program) -> None:
    program.start()
    program.send("First words")
    program.act("new_session")
    program.send("Second words")
    first = program.listed()[-1].id
    program.open(first)
    program.quit()
    program.start()
    assert program.state.session == first, "the one that was looked at, not the one that was changed last"
    reason = program.find(QLabel, "finish_reason")
    program.until(lambda: "First words" in program.page and reason.text().startswith("Complete (EOS)"))
    program.act("regenerate")
    program.until(lambda: program.state.phase is Phase.READY)
    assert len(program.state.turns) == 2


def test_whoever_types_before_the_journal_is_open_stays_on_that_page(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only when the draft has been kept by then."""
    monkeypatch.setattr(controller, "TYPING_MS", 1_000_000)
    program.start()
    program.send("Words")
    program.quit()
    ready: list[bool] = []
    program.show().playground.book.ready.connect(lambda: ready.append(True))
    program.prompt.setPlainText("Begun at once")
    program.until(lambda: bool(ready) and program.state.phase is Phase.READY)
    assert (program.state.opening, program.state.turns, program.prompt.toPlainText()) == (0, (), "Begun at once")


def test_an_empty_page_stays_empty(program: Program) -> None:
    program.start()
    program.send("Words")
    program.act("new_session")
    program.quit()
    program.start()
    assert (program.state.session, program.state.turns) == (0, ())


def test_each_session_keeps_what_was_typed_and_not_sent(program: Program) -> None:
    program.start()
    program.send("One")
    one = program.state.session
    program.prompt.setPlainText("typed in one")
    program.act("new_session")
    assert program.prompt.toPlainText() == ""
    program.prompt.setPlainText("typed in two")
    program.open(one)
    assert program.prompt.toPlainText() == "typed in one"
    two = next(info.id for info in program.listed() if info.id != one)
    program.open(two)
    assert program.prompt.toPlainText() == "typed in two"
    program.quit()
    program.start()
    assert program.state.session == two
    assert program.prompt.toPlainText() == "typed in two"


@pytest.mark.parametrize("left", ["another session", "quit", "raw"])
def test_an_earlier_turn_that_was_changed_and_not_sent_is_kept(program: Program, left: str) -> None:
    """With what was typed before it."""
    program.start()
    program.send("One")
    one = program.state.session
    program.prompt.setPlainText("Next")
    program.find(Transcript, "transcript").wanted.emit(TurnAction.EDIT, 0)
    program.prompt.setPlainText("One, changed")
    if left == "another session":
        program.act("new_session")
        assert program.prompt.toPlainText() == ""
        program.open(one)
    elif left == "raw":
        for mode in ("raw", "chat"):
            program.find(QWidget, "mode").chosen.emit(mode)  # type: ignore[attr-defined]
    else:
        program.quit()
        program.start()
    assert program.prompt.toPlainText() == "Next\n\nOne, changed"
    assert program.state.turns[0].text == "One"


def test_what_is_typed_is_kept_while_the_program_runs(program: Program) -> None:
    program.start()
    program.prompt.setPlainText("not lost")
    program.until(lambda: program.state.session != 0)
    kept = program.journal.sessions.get(program.state.session)
    assert kept is not None and kept.draft == "not lost"


def test_a_session_with_nothing_in_it_is_forgotten(program: Program) -> None:
    program.start()
    program.send("One")
    one = program.state.session
    program.act("new_session")
    program.prompt.setPlainText("never mind")
    program.until(lambda: program.state.session != 0)
    program.prompt.setPlainText("")
    program.open(one)
    assert [info.id for info in program.listed()] == [one]


def test_a_session_with_turns_on_another_branch_only_is_kept(program: Program) -> None:
    program.start()
    program.send("First wording")
    session = program.state.session
    assert program.window.playground.edit(0, "Second wording")
    program.until(lambda: program.state.phase is Phase.READY)
    assert program.window.playground.delete(0)
    program.act("new_session")
    assert [info.id for info in program.listed()] == [session]
    program.open(session)
    program.window.playground.switch(program.state.others[-1].id)
    assert program.state.turns[0].text == "First wording"


@pytest.mark.in_korean
def test_a_deleted_session_leaves_the_page_and_comes_back_to_it(program: Program) -> None:
    program.start()
    program.send("Precious words")
    session = program.state.session
    program.select(session)
    program.column.list._delete()
    assert program.state.turns == ()
    program.until(lambda: program.journal.sessions.count() == 0)
    program.find(QAbstractButton, "session_undo").click()
    program.until(lambda: program.state.session == session and "Precious words" in program.page)


def test_what_is_typed_while_a_session_is_read_is_kept_where_that_one_is_deleted(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.start()
    program.send("One")
    one = program.state.session
    program.act("new_session")
    program.send("Two")
    two = program.state.session
    program.open(one)
    may_come = read_late(monkeypatch)
    program.column.opened.emit(two)
    program.prompt.setPlainText("Meanwhile")
    program.window.findChild(SessionsController).keep_draft()  # type: ignore[union-attr]
    program.column.deleted.emit(two)
    may_come.set()
    program.until(lambda: draft_of(program) == "Meanwhile")
    assert program.state.session == one


def test_nothing_is_written_into_a_deleted_session_of_the_other_mode(program: Program) -> None:
    program.start()
    program.send("In chat")
    chat = program.state.session
    program.find(QWidget, "mode").chosen.emit("raw")  # type: ignore[attr-defined]
    assert (program.state.session, program.state.shelf.session) == (0, chat)
    program.column.deleted.emit(chat)
    program.find(QWidget, "mode").chosen.emit("chat")  # type: ignore[attr-defined]
    assert (program.state.session, program.state.turns) == (0, ())


def test_what_was_typed_is_kept_when_the_mode_is_changed(program: Program) -> None:
    program.start()
    program.send("In chat")
    chat = program.state.session
    program.prompt.setPlainText("not sent")
    program.find(QWidget, "mode").chosen.emit("raw")  # type: ignore[attr-defined]
    kept = program.journal.sessions.get(chat)
    assert kept is not None and kept.draft == "not sent"
    program.find(QWidget, "mode").chosen.emit("chat")  # type: ignore[attr-defined]
    assert program.prompt.toPlainText() == "not sent"


def test_a_page_that_was_sent_is_no_draft_while_the_model_writes(program: Program) -> None:
    program.start(ENDLESS_TEXT)
    program.window.playground.set_controls(replace(program.state.controls, mode=Mode.RAW, limits=Limits(-1)))
    program.prompt.setPlainText("Page: ")
    program.until(lambda: program.state.session != 0)
    program.find(QAbstractButton, "send").click()
    assert draft_of(program) == ""
    program.until(lambda: program.state.phase is Phase.GENERATING)
    program.find(QWidget, "mode").chosen.emit("chat")  # type: ignore[attr-defined]
    assert program.state.controls.mode is Mode.RAW, "not in the middle of a run, though what is typed would be kept"
    assert draft_of(program) == "", "after a crash it would stand in the place of the whole answer"


def draft_of(program: Program) -> str:
    kept = program.journal.sessions.get(program.state.session)
    assert kept is not None
    return kept.draft


def test_list_and_window_follow_what_happens(program: Program) -> None:
    program.start()
    program.send("A title of many words that goes on for long")
    session = program.state.session
    program.column.renamed.emit(session, "Short")
    program.until(lambda: program.state.title == "Short")
    program.column.pinned.emit(session, True)
    program.column.duplicated.emit(session)
    program.until(lambda: program.column.list.model().rowCount() == 4)
    assert [info.title for info in program.listed()] == ["Short", "Short (copy)"]


def test_a_session_brings_its_mode_and_controls(program: Program) -> None:
    program.start()
    controls = replace(program.state.controls, limits=Limits(7), seed=4)
    program.window.playground.set_controls(controls)
    program.send("In chat")
    chat = program.state.session
    program.window.playground.set_controls(replace(controls, mode=Mode.RAW, limits=Limits(9)))
    program.send("Once upon a page")
    raw = program.state.session
    assert raw != chat
    program.open(chat)
    assert (program.state.controls.mode, program.state.controls.limits.max_tokens) == (Mode.CHAT, 7)
    program.open(raw)
    assert (program.state.controls.mode, program.state.controls.limits.max_tokens) == (Mode.RAW, 9)
    assert program.prompt.toPlainText().startswith("Once upon a page")


def test_each_session_keeps_what_was_set_and_not_sent(program: Program) -> None:
    program.start()
    program.send("One")
    one = program.state.session
    program.act("new_session")
    program.send("Two")
    two = program.state.session
    system = program.find(QPlainTextEdit, "system_prompt")
    system.setPlainText("Set in two")
    program.open(one)
    assert system.toPlainText() == ""
    program.open(two)
    assert system.toPlainText() == "Set in two"
    system.setPlainText("Set before leaving")
    program.quit()
    program.start()
    program.until(lambda: program.state.session == two)
    assert program.state.controls.system == "Set before leaving"


def test_what_is_set_is_kept_while_the_program_runs(program: Program) -> None:
    """Also while an earlier turn is edited, which is no draft as it stands; and a session that begins as a draft."""
    program.start()
    program.prompt.setPlainText("not sent")
    program.until(lambda: program.state.session != 0)
    system = program.find(QPlainTextEdit, "system_prompt")
    system.setPlainText("Before")
    program.until(lambda: settings_of(program).system == "Before")
    program.send("One")
    program.until(lambda: draft_of(program) == "")
    program.find(Transcript, "transcript").wanted.emit(TurnAction.EDIT, 0)
    system.setPlainText("Meanwhile")
    program.until(lambda: settings_of(program).system == "Meanwhile")
    assert draft_of(program) == ""


def test_a_system_prompt_that_is_written_is_a_session_of_its_own(program: Program) -> None:
    """Of the page that it was written on: others that begin with it are none for that."""
    program.start()
    program.send("One")
    one = program.state.session
    program.act("new_session")
    program.find(QPlainTextEdit, "system_prompt").setPlainText("Written before the first words")
    program.open(one)
    (written,) = (info.id for info in program.listed() if info.id != one)
    for _ in ("this sitting", "the next one"):
        program.open(written)
        assert program.state.controls.system == "Written before the first words"
        program.act("new_session")
        program.prompt.setPlainText("never mind")
        program.until(lambda: program.state.session != 0)
        program.prompt.setPlainText("")
        program.open(one)
        assert {info.id for info in program.listed()} == {one, written}
        program.quit()
        program.start()
        program.until(lambda: program.state.session == one)
    program.open(written)
    program.find(QPlainTextEdit, "system_prompt").setPlainText("")
    program.open(one)
    assert [info.id for info in program.listed()] == [one]


@pytest.mark.parametrize("field", ["tools", "reply_start", "form_text"])
def test_so_are_tools_a_form_and_a_beginning_of_the_reply(
    program: Program, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    monkeypatch.setattr("app.ui.controls.controller.why_not", lambda form: "")
    program.start()
    program.send("One")
    one = program.state.session
    program.act("new_session")
    controls = program.window.findChild(ControlsPanel)
    assert controls is not None
    kind = program.find(QComboBox, "form_kind")
    if field == "form_text":
        kind.setCurrentIndex(kind.findData(FormKind.REGEX))
        kind.activated.emit(kind.currentIndex())
    program.find(QPlainTextEdit, field).setPlainText("Long work")
    program.open(one)
    assert "Long work" not in str(program.state.controls)
    (written,) = (info.id for info in program.listed() if info.id != one)
    program.open(written)
    assert program.find(QPlainTextEdit, field).toPlainText() == "Long work"


def test_a_session_that_began_with_a_system_prompt_is_forgotten_without_its_draft(program: Program) -> None:
    """It was written in another one, however often this one was opened since."""
    program.start()
    program.send("One")
    one = program.state.session
    program.find(QPlainTextEdit, "system_prompt").setPlainText("Written in the first")
    program.act("new_session")
    program.prompt.setPlainText("never mind")
    program.until(lambda: program.state.session not in (0, one))
    drafted = program.state.session
    program.open(one)
    program.open(drafted)
    assert program.state.controls.system == "Written in the first"
    program.prompt.setPlainText("")
    program.open(one)
    assert [info.id for info in program.listed()] == [one]


def test_nothing_else_that_is_set_makes_a_session(program: Program) -> None:
    """Nor a system prompt that comes with a preset, nor what was taken back before anything was sent."""
    program.start()
    system = program.find(QPlainTextEdit, "system_prompt")
    for text in ("Taken back", ""):
        system.setPlainText(text)
    for mode in ("raw", "chat"):  # what was typed and set is kept with each
        program.find(QWidget, "mode").chosen.emit(mode)  # type: ignore[attr-defined]
        assert program.state.session == 0
    program.window.playground.set_controls(replace(program.state.controls, seed=4, system="Of a preset"))
    program.send("One")
    one = program.state.session
    program.act("new_session")
    presets = program.window._features.controls._presets
    presets.take_in((Preset("Mine", system="Of another preset"),))
    presets._pick("Mine")
    assert system.toPlainText() == "Of another preset"
    program.window.playground.set_controls(replace(program.state.controls, seed=4))
    program.quit()
    assert program.state.session == 0
    program.start()
    assert (program.state.controls.seed, program.state.controls.system) == (4, "Of another preset")
    assert [info.id for info in program.listed()] == [one]


def test_a_system_prompt_that_is_written_before_the_journal_is_open_is_kept(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.start()
    program.send("One")
    one = program.state.session
    program.quit()
    may_open, ready = opened_late(monkeypatch), list[bool]()
    program.show().playground.book.ready.connect(lambda: ready.append(True))
    program.find(QPlainTextEdit, "system_prompt").setPlainText("Early")
    may_open.set()
    program.until(lambda: bool(ready) and program.state.phase is Phase.READY)
    program.until(lambda: program.state.session != 0)
    early = program.state.session
    assert early != one
    program.open(one)
    assert {info.id for info in program.listed()} == {one, early}


def settings_of(program: Program) -> Controls:
    kept = program.journal.sessions.get(program.state.session)
    assert kept is not None
    return kept.settings


@pytest.mark.in_korean
def test_what_is_found_on_another_branch_is_brought_into_sight(program: Program) -> None:
    program.start(replace(QUICK, replies=("Lighthouse.", "Harbour.")))
    program.window.playground.set_controls(replace(program.state.controls, seed=0))
    program.send("Where?")
    session = program.state.session
    program.window.playground.set_controls(replace(program.state.controls, seed=1))
    program.act("regenerate")
    program.until(lambda: program.state.phase is Phase.READY)
    assert program.state.turns[1].text == "Harbour."
    find(program, "lighth")
    program.until(lambda: "Lighthouse." in program.page)
    assert [turn.text for turn in program.state.turns] == ["Where?", "Lighthouse."]
    program.act("new_session")
    find(program, "harb")
    program.until(lambda: program.state.session == session and "Harbour." in program.page)
    assert [turn.text for turn in program.state.turns] == ["Where?", "Harbour."]


def test_what_was_not_sent_stays_on_a_page_when_something_else_is_found(program: Program) -> None:
    program.start(replace(QUICK, replies=("end.\r.",)))
    program.window.playground.set_controls(replace(program.state.controls, mode=Mode.RAW))
    program.send("Lighthouse ")
    session = program.state.session
    program.send("Harbour ")
    program.prompt.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(program.prompt, " Not sent.")
    for leaves in (False, True):
        if leaves:
            program.act("new_session")
        find(program, "lighth")
        program.until(lambda: program.find(NoticeBar, "notice").isVisible() and program.state.session == session)
        assert program.prompt.toPlainText() == "Harbour end.\n. Not sent."
        program.find(NoticeBar, "notice").clear()
    program.prompt.setPlainText("Harbour end.\n.")
    find(program, "lighth")
    program.until(lambda: program.prompt.toPlainText() == "Lighthouse end.\n.")


def test_what_is_found_while_a_model_is_opened_comes_into_sight_when_it_is_open(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.start(replace(QUICK, replies=("Lighthouse.", "Harbour.")))
    program.window.playground.set_controls(replace(program.state.controls, seed=0))
    program.send("Where?")
    program.window.playground.set_controls(replace(program.state.controls, seed=1))
    program.act("regenerate")
    program.until(lambda: program.state.phase is Phase.READY)
    program.act("new_session")
    may_open, load = held_back(EchoEngine.load)
    monkeypatch.setattr(EchoEngine, "load", load)
    program.window.playground.load(LoadRequest("echo"))
    find(program, "lighth")
    program.until(lambda: bool(program.state.turns))
    assert program.state.phase is Phase.LOADING
    may_open.set()
    program.until(lambda: "Lighthouse." in program.page)


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


def find(program: Program, words: str) -> None:
    """Search, and open the first find that is no title."""
    assert program.journal.flush()
    program.column.search.setText(words)
    program.column.search.returnPressed.emit()
    row = program.column.list.model().index(0, 0).data(ROW)
    assert isinstance(row, Row) and row.excerpt and row.note == tr("other branch")
    QTest.keyClick(program.column.list, Qt.Key.Key_Return)


def test_a_page_is_reopened_in_the_order_in_which_it_was_written(program: Program) -> None:
    program.start(replace(QUICK, replies=("Open. <think>Or shut?</think> Open it.",), reasoning="A gate."))
    program.window.playground.set_controls(replace(program.state.controls, mode=Mode.RAW))
    program.send("The gate: ")
    page, session = program.prompt.toPlainText(), program.state.session
    assert page == "The gate: <think>A gate.</think>Open. <think>Or shut?</think> Open it."
    program.act("new_session")
    assert program.prompt.toPlainText() == ""
    program.open(session)
    assert program.prompt.toPlainText() == page


def test_no_other_session_is_opened_during_a_run(program: Program) -> None:
    program.start(ENDLESS_TEXT)
    program.window.playground.set_controls(replace(program.state.controls, limits=Limits(20)))
    program.send("One")
    one = program.state.session
    program.act("new_session")
    program.window.playground.set_controls(replace(program.state.controls, limits=Limits(-1)))
    program.window.playground.send("Two")
    program.column.opened.emit(one)
    assert program.state.session != one
    program.until(program.find(QLabel, "sessions_held").isVisible)
    program.act("stop")
    program.until(lambda: program.state.phase is Phase.READY)
    assert not program.find(QLabel, "sessions_held").isVisible()


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


def test_a_column_comes_back_as_wide_as_usual_after_text_of_another_size(program: Program) -> None:
    program.start()
    program.window.resize(1300, 800)
    before = program.column.width()
    program.window.resize(900, 600)
    program.act("larger_text")
    program.act("usual_text")
    program.window.resize(1300, 800)
    program.until(program.column.isVisible)
    assert program.column.width() == before


def test_columns_that_are_hidden_keep_their_widths() -> None:
    assert known_widths((200, 600, 250), ()) == (200, 600, 250)
    assert known_widths((0, 800, 250), (200, 600, 250)) == (200, 800, 250)
    assert known_widths((0, 800, 250), ()) == ()


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


def test_a_journal_that_is_taken_is_a_notice_with_a_way_on(program: Program, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = open_journal(program.folder)
    try:
        program.start()
        said = program.find(QLabel, "notice_what")
        assert "another Sluice has it open" in said.text()
        offer = program.find(QAbstractButton, "notice_offer")
        assert offer.isVisible()
        program.window.playground._on_failed(Failure("It broke.", "Mend it."))
        assert "It broke." in said.text()
        program.send("Kept in memory")
        assert offer.isVisible(), "it is told again when the other failure is past"
        program.window.playground._on_failed(Failure("It broke again.", "Mend it."))
        program.find(QAbstractButton, "dismiss").click()
        assert offer.isVisible(), "or was read"
        program.window.findChild(JournalController).save_elsewhere(elsewhere)  # type: ignore[union-attr]
        program.until(lambda: str(elsewhere) in said.text())
        assert program.journal.folder == elsewhere
        program.quit()
    finally:
        other.close()
    with _journal(elsewhere) as journal:
        assert [info.title for info in journal.sessions.rows()] == ["Kept in memory"]


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


def test_a_number_of_the_journal_in_memory_is_not_what_the_next_start_opens(program: Program) -> None:
    program.start()
    program.send("One")
    program.act("new_session")
    program.send("In the file")
    program.quit()
    with _journal(program.folder):
        program.start()
        program.send("In memory")
        assert program.state.session == 1, "the number of another one in the file"
        program.quit()
    program.start()
    assert program.state.session == 2 and "In the file" in program.page


def test_journal_in_memory_is_saved_elsewhere_in_the_middle_of_a_run(program: Program, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with _journal(program.folder):
        program.go()
        program.until(lambda: program.state.phase is Phase.GENERATING)
        said = program.find(QLabel, "notice_what")
        program.until(lambda: "another Sluice has it open" in said.text() and said.isVisible())
        assert program.state.phase is Phase.GENERATING
        program.window.findChild(JournalController).save_elsewhere(elsewhere)  # type: ignore[union-attr]
        program.until(lambda: str(elsewhere) in said.text())
        program.find(QAbstractButton, "dismiss").click()
        program.window.playground.stop()
        program.until(lambda: program.state.phase is Phase.READY and program.journal.folder == elsewhere)
        assert not said.isVisible()
        program.quit()
    with _journal(elsewhere) as journal:
        assert [info.title.partition(":")[0] for info in journal.sessions.rows()] == ["Go"]


def test_what_is_not_written_yet_is_said_until_it_is(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_prompt_that_is_sent_while_the_journal_opens_waits_for_it(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.in_korean
def test_prompt_that_is_sent_without_saving_is_answered_and_the_window_says_so(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_open, _, unsaved = _slow_start(program, monkeypatch)
    program.until(unsaved.isVisible)
    unsaved.click()
    program.until(lambda: len(program.state.turns) == 2 and program.state.phase is Phase.READY)
    assert program.find(QLabel, "notice_what").text() == failures.unsaved().what
    may_open.set()
    program.quit()
    with _journal(program.folder) as journal:
        assert journal.sessions.count() == 0


def _slow_start(program: Program, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, QLabel, QAbstractButton]:
    """Its journal opens when the event is set, and a prompt waits for that."""
    monkeypatch.setattr("app.bridge.book.SLOW_MS", 0)
    may_open = opened_late(monkeypatch)
    program.show()
    program.until(lambda: program.state.phase is Phase.LOADING)
    program.prompt.setPlainText("Hello")
    QTest.keyClick(program.prompt, Qt.Key.Key_Return)
    hint = program.find(QWidget, "edit_hint").findChild(QLabel)
    assert hint is not None
    return may_open, hint, program.find(QAbstractButton, "send_unsaved")


def test_a_damaged_journal_is_told_and_does_not_hold_the_window(program: Program) -> None:
    (program.folder / FILE).write_bytes(b"not a database at all, " * 500)
    program.start()
    assert "damaged" in program.find(QLabel, "notice_what").text()
    program.send("Words")
    assert program.journal.folder == program.folder


def test_text_typed_in_a_window_that_is_closed_while_the_journal_opens_is_there_at_the_next_start(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving, "WAITS_S", WAIT_S)
    with monkeypatch.context() as patch:
        may_open = opened_late(patch)
        program.show()
        program.prompt.setPlainText("Typed at once")
        program.until(lambda: program.window.playground.book.is_opening)
        program.window.leaving.connect(may_open.set)
        program.quit()
    program.start()
    assert program.prompt.toPlainText() == "Typed at once"


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


def test_what_is_set_on_a_page_that_is_no_session_outlives_a_crash(program: Program) -> None:
    program.start()
    mine = replace(program.state.controls, tools='[{"type": "function"}]')
    program.window.playground.set_controls(mine)
    program.until(lambda: settings.load(program.folder)[0].controls == mine)
    assert program.state.session == 0
