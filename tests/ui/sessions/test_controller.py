"""The sessions' controller: drafts, controls, opening and deleting."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.types import ENDLESS, Failure, FormatKind, Limits, LoadRequest, OutputFormat
from app.files.settings import Settings
from app.i18n import tr
from app.records.journal import open_journal
from app.state import Phase
from app.ui.sessions import controller
from app.ui.sessions.list_model import ROW, SessionRow
from tests.bridge.playing import ENDLESS_TEXT, read_late, reading
from tests.late import held_back
from tests.ui.chat_room import ChatRoom
from tests.ui.room import QUICK, Rooms

Enter = Callable[..., ChatRoom]


@pytest.fixture
def enter(rooms: Rooms, tmp_path: Path) -> Enter:
    def entered(knobs: EchoOptions = QUICK) -> ChatRoom:
        room = ChatRoom(rooms, knobs, opener=partial(open_journal, tmp_path))
        room.enter()
        return room

    return entered


@pytest.fixture
def room(enter: Enter) -> ChatRoom:
    return enter()


def test_start_opens_the_last_open_session(room: ChatRoom) -> None:
    room.send("First words")
    first = room.state.session
    room.sessions.begin()
    room.send("Second words")
    room.open(first)
    room = room.again()
    assert room.state.session == first, "the one that was looked at, not the one that was changed last"
    assert [turn.text for turn in room.state.turns][:1] == ["First words"]
    assert room.playground.regenerate()
    room.until_phase(Phase.READY)
    assert len(room.state.turns) == 2


def test_text_typed_before_the_journal_opens_stays(room: ChatRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the draft isn't saved yet."""
    monkeypatch.setattr(controller, "TYPING_MS", 1_000_000)
    room.send("Words")
    assert room.opener is not None
    may_open, late = held_back(room.opener)
    room = room.again(opener=late, early=True)
    room.type("Begun at once")
    may_open.set()
    room.until(lambda: room.has_journal)
    assert (room.state.opening, room.state.turns, room.typed) == (0, (), "Begun at once")


def test_start_after_an_empty_page_shows_an_empty_page(room: ChatRoom) -> None:
    room.send("Words")
    room.sessions.begin()
    room = room.again()
    assert (room.state.session, room.state.turns) == (0, ())


def test_session_keeps_its_draft(room: ChatRoom) -> None:
    room.send("One")
    one = room.state.session
    room.type("typed in one")
    room.sessions.begin()
    assert room.typed == ""
    room.type("typed in two")
    room.open(one)
    assert room.typed == "typed in one"
    (two,) = (info.id for info in room.listed() if info.id != one)
    room.open(two)
    assert room.typed == "typed in two"
    room = room.again()
    assert (room.state.session, room.typed) == (two, "typed in two")


@pytest.mark.parametrize("left", ["another session", "quit", "raw"])
def test_unsent_edit_of_a_turn_is_kept_with_the_draft(room: ChatRoom, left: str) -> None:
    room.send("One")
    one = room.state.session
    room.type("Next")
    room.prompting.edit(0)
    room.type("One, changed")
    if left == "another session":
        room.sessions.begin()
        assert room.typed == ""
        room.open(one)
    elif left == "raw":
        room.set_mode(Mode.RAW)
        room.set_mode(Mode.CHAT)
    else:
        room = room.again()
    assert room.typed == "Next\n\nOne, changed"
    assert room.state.turns[0].text == "One"


def test_draft_and_controls_are_saved_after_a_pause(room: ChatRoom) -> None:
    """Controls also while an earlier turn is edited, which is no draft."""
    room.type("not lost")
    room.until(lambda: room.state.session != 0)
    assert room.saved.draft == "not lost"
    room.instruct("Before")
    room.until(lambda: room.saved.settings.system == "Before")
    room.send("One")
    room.until(lambda: room.saved.draft == "")
    room.prompting.edit(0)
    room.instruct("Meanwhile")
    room.until(lambda: room.saved.settings.system == "Meanwhile")
    assert room.saved.draft == ""


def test_session_with_turns_on_another_branch_only_is_kept(room: ChatRoom) -> None:
    room.send("First wording")
    session = room.state.session
    assert room.playground.edit(0, "Second wording")
    room.until_phase(Phase.READY)
    assert room.playground.delete(0)
    room.sessions.begin()
    assert [info.id for info in room.listed()] == [session]
    room.open(session)
    room.playground.switch(room.state.others[-1].id)
    assert room.state.turns[0].text == "First wording"


@pytest.mark.in_korean
def test_undo_of_a_deleted_open_session_opens_it_again(room: ChatRoom) -> None:
    room.send("Precious words")
    session = room.state.session

    def selected() -> bool:
        room.column.list.select(session)
        return room.column.list.current() == session

    room.until(selected)
    room.column.list.setFocus()
    QTest.keyClick(room.column.list, Qt.Key.Key_Delete)
    assert room.state.turns == () and room.column.list.hasFocus()
    room.until(lambda: room.journal.sessions.count() == 0)
    QTest.keyClick(room.column.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    room.until(lambda: room.state.session == session and room.state.turns[0].text == "Precious words")


def test_text_typed_while_a_session_is_read_stays_if_that_is_deleted(
    room: ChatRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.send("One")
    one = room.state.session
    room.sessions.begin()
    room.send("Two")
    two = room.state.session
    room.open(one)
    may_come = read_late(monkeypatch)
    room.column.opened.emit(two)
    room.type("Meanwhile")
    room.sessions.keep_draft()
    room.column.deleted.emit(two)
    may_come.set()
    room.until(lambda: room.saved.draft == "Meanwhile")
    assert room.state.session == one


def test_deleted_session_of_the_other_mode_stays_deleted(room: ChatRoom) -> None:
    room.send("In chat")
    chat = room.state.session
    room.set_mode(Mode.RAW)
    assert (room.state.session, room.state.inactive.session) == (0, chat)
    room.column.deleted.emit(chat)
    room.set_mode(Mode.CHAT)
    assert (room.state.session, room.state.turns) == (0, ())


def test_sent_page_is_no_draft_during_its_run(enter: Enter) -> None:
    room = enter(ENDLESS_TEXT)
    room.playground.set_controls(replace(room.state.controls, mode=Mode.RAW, limits=Limits(ENDLESS)))
    room.type("Page: ")
    room.until(lambda: room.state.session != 0)
    room.press("send")
    assert room.saved.draft == ""
    room.until_phase(Phase.GENERATING)
    room.set_mode(Mode.CHAT)
    assert room.state.controls.mode is Mode.RAW, "not in the middle of a run, though what is typed would be kept"
    assert room.saved.draft == "", "after a crash it would stand in the place of the whole answer"


def test_list_shows_renamed_pinned_and_duplicated_sessions(room: ChatRoom) -> None:
    room.send("A title of many words that goes on for long")
    session = room.state.session
    room.column.renamed.emit(session, "Short")
    room.until(lambda: room.state.title == "Short")
    room.set_mode(Mode.RAW)
    room.column.renamed.emit(session, "Shorter")
    room.until(lambda: room.state.inactive.title == "Shorter")
    room.set_mode(Mode.CHAT)
    room.column.pinned.emit(session, True)
    room.column.duplicated.emit(session)
    room.until(lambda: room.column.list.model().rowCount() == 4)
    assert [info.title for info in room.listed()] == ["Shorter", "Shorter (copy)"]


def test_opened_session_restores_its_mode_and_controls(room: ChatRoom) -> None:
    controls = replace(room.state.controls, limits=Limits(7), seed=4)
    room.playground.set_controls(controls)
    room.send("In chat")
    chat = room.state.session
    room.playground.set_controls(replace(controls, mode=Mode.RAW, limits=Limits(9)))
    room.send("Once upon a page")
    raw = room.state.session
    assert raw != chat
    room.open(chat)
    assert (room.state.controls.mode, room.state.controls.limits.max_tokens) == (Mode.CHAT, 7)
    room.open(raw)
    assert (room.state.controls.mode, room.state.controls.limits.max_tokens) == (Mode.RAW, 9)
    assert room.typed.startswith("Once upon a page")


def test_session_keeps_its_unsent_controls(room: ChatRoom) -> None:
    room.send("One")
    one = room.state.session
    room.sessions.begin()
    room.send("Two")
    two = room.state.session
    room.instruct("Set in two")
    room.open(one)
    assert room.state.controls.system == ""
    room.open(two)
    assert room.state.controls.system == "Set in two"
    room.instruct("Set before leaving")
    room = room.again()
    assert (room.state.session, room.state.controls.system) == (two, "Set before leaving")


def test_system_prompt_without_turns_is_a_session(room: ChatRoom) -> None:
    """Only the session that it was written in: others that inherit it are forgotten."""
    room.send("One")
    one = room.state.session
    room.sessions.begin()
    room.instruct("Written before the first words")
    room.open(one)
    (written,) = (info.id for info in room.listed() if info.id != one)
    for _ in ("this time", "at the next start"):
        room.open(written)
        assert room.state.controls.system == "Written before the first words"
        room.sessions.begin()
        room.type("never mind")
        room.sessions.keep_draft()
        assert room.state.session != 0
        room.type("")
        room.open(one)
        assert {info.id for info in room.listed()} == {one, written}
        room = room.again()
        assert room.state.session == one
    room.open(written)
    room.instruct("")
    room.open(one)
    assert [info.id for info in room.listed()] == [one]


def test_tools_format_or_reply_prefix_without_turns_are_a_session(room: ChatRoom) -> None:
    room.send("One")
    one, known = room.state.session, {room.state.session}
    for changes in (
        {"tools": "Long work"},
        {"reply_start": "Long work"},
        {"form": OutputFormat(FormatKind.REGEX, regex="Long work")},
    ):
        room.sessions.begin()
        room.playground.set_controls(replace(Controls(), **changes))
        room.sessions.note_instruction()
        room.open(one)
        assert "Long work" not in str(room.state.controls)
        (written,) = {info.id for info in room.listed()} - known
        known.add(written)
        room.open(written)
        assert room.state.controls == replace(Controls(), **changes)


def test_session_with_an_inherited_system_prompt_is_forgotten_without_its_draft(room: ChatRoom) -> None:
    room.send("One")
    one = room.state.session
    room.instruct("Written in the first")
    room.sessions.begin()
    room.type("never mind")
    room.until(lambda: room.state.session not in (0, one))
    drafted = room.state.session
    room.open(one)
    room.open(drafted)
    assert room.state.controls.system == "Written in the first"
    room.type("")
    room.open(one)
    assert [info.id for info in room.listed()] == [one]


def test_other_controls_without_turns_are_saved_without_a_session(room: ChatRoom) -> None:
    """Also a system prompt of a preset, and one that was removed before Send."""
    for text in ("Taken back", ""):
        room.instruct(text)
    room.set_mode(Mode.RAW)  # what was typed and set is kept with each mode
    room.set_mode(Mode.CHAT)
    assert room.state.session == 0
    changed = QSignalSpy(room.sessions.changed)
    room.playground.set_controls(replace(room.state.controls, seed=4, system="Of a preset"))
    room.until(lambda: changed.count() > 0)
    assert room.state.session == 0
    room.send("One")
    one = room.state.session
    room.sessions.begin()
    room.playground.set_controls(replace(room.state.controls, system="Of another preset"))
    room = room.again()
    assert room.state.session == 0
    assert [info.id for info in room.listed()] == [one]


@pytest.mark.slow
def test_system_prompt_written_before_the_journal_opens_is_kept(room: ChatRoom) -> None:
    room.send("One")
    one = room.state.session
    room.sessions.begin()
    assert room.opener is not None
    may_open, late = held_back(room.opener)
    room = room.again(opener=late, early=True)
    room.instruct("Early")
    may_open.set()
    room.until(lambda: room.has_journal and room.state.phase is Phase.READY)
    room.until(lambda: room.state.session != 0)
    early = room.state.session
    assert early != one
    room.open(one)
    assert {info.id for info in room.listed()} == {one, early}


def two_answers(room: ChatRoom) -> None:
    """Make two branches: “Lighthouse.”, and “Harbour.”, which is shown."""
    room.playground.set_controls(replace(room.state.controls, seed=0))
    room.send("Where?")
    room.playground.set_controls(replace(room.state.controls, seed=1))
    assert room.playground.regenerate()
    room.until_phase(Phase.READY)
    assert room.state.turns[1].text == "Harbour."


def find(room: ChatRoom, words: str) -> None:
    """Search, and open the first match that isn't a title."""
    assert room.journal.flush()
    room.column.search.setText(words)
    room.column.search.returnPressed.emit()
    row = room.column.list.model().index(0, 0).data(ROW)
    assert isinstance(row, SessionRow) and row.excerpt and row.note == tr("other branch")
    QTest.keyClick(room.column.list, Qt.Key.Key_Return)


ANSWERS = replace(QUICK, replies=("Lighthouse.", "Harbour."))


@pytest.mark.in_korean
def test_match_on_another_branch_is_shown(enter: Enter) -> None:
    room = enter(ANSWERS)
    two_answers(room)
    session, found = room.state.session, QSignalSpy(room.sessions.found)
    find(room, "lighth")
    room.until(lambda: [turn.text for turn in room.state.turns] == ["Where?", "Lighthouse."])
    room.sessions.begin()
    find(room, "harb")
    room.until(lambda: [turn.text for turn in room.state.turns] == ["Where?", "Harbour."])
    assert room.state.session == session
    assert found.at(found.count() - 1) == ["Harb", room.state.turns[1].id]


def test_match_does_not_replace_unsent_text_of_a_page(enter: Enter) -> None:
    room = enter(replace(QUICK, replies=("end.\r.",)))
    room.playground.set_controls(replace(room.state.controls, mode=Mode.RAW))
    room.send("Lighthouse ")
    session = room.state.session
    room.send("Harbour ")
    room.editor.field.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(room.editor.field, " Not sent.")
    for leaves in (False, True):
        if leaves:
            room.sessions.begin()
        find(room, "lighth")
        room.until(lambda: room.notice.isVisible() and room.state.session == session)
        assert room.typed == "Harbour end.\n. Not sent."
        room.notice.clear()
    room.type("Harbour end.\n.")
    find(room, "lighth")
    room.until(lambda: room.typed == "Lighthouse end.\n.")


def test_match_opened_during_a_load_is_shown_after_it(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    room = enter(ANSWERS)
    two_answers(room)
    room.sessions.begin()
    may_open, load = held_back(EchoEngine.load)
    monkeypatch.setattr(EchoEngine, "load", load)
    room.playground.load(LoadRequest("echo"))
    find(room, "lighth")
    room.until(lambda: bool(room.state.turns))
    assert (room.state.phase, room.state.turns[1].text) == (Phase.LOADING, "Harbour.")
    may_open.set()
    room.until(lambda: room.state.turns[1].text == "Lighthouse.")


def test_reopened_page_keeps_the_order_of_reasoning(enter: Enter) -> None:
    room = enter(replace(QUICK, replies=("Open. <think>Or shut?</think> Open it.",), reasoning="A gate."))
    room.playground.set_controls(replace(room.state.controls, mode=Mode.RAW))
    room.send("The gate: ")
    page, session = room.typed, room.state.session
    assert page == "The gate: <think>A gate.</think>Open. <think>Or shut?</think> Open it."
    room.sessions.begin()
    assert room.typed == ""
    room.open(session)
    assert room.typed == page


def test_locked_journal_is_reported_and_can_be_saved_elsewhere(rooms: Rooms, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with reading(tmp_path):
        room = ChatRoom(rooms, opener=partial(open_journal, tmp_path))
        room.enter()
        said, offer = room.part(QLabel, "notice_what"), room.part(QAbstractButton, "notice_offer")
        assert "another Sluice has it open" in said.text() and offer.isVisible()
        room.send("Kept in memory")
        room.playground._on_failed(Failure("It broke.", "Mend it."))
        assert "It broke." in said.text()
        room.press("dismiss")
        assert "another Sluice" in said.text() and offer.isVisible(), "it is said again when the other one was read"
        room.saving.save_elsewhere(elsewhere)
        room.until(lambda: str(elsewhere) in said.text())
        assert room.journal.folder == elsewhere
        room.close()
    with reading(elsewhere) as journal:
        assert [info.title for info in journal.sessions.rows()] == ["Kept in memory"]


@pytest.mark.slow
def test_journal_in_memory_is_saved_elsewhere_during_a_run(rooms: Rooms, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with reading(tmp_path):
        endless = Settings(controls=Controls(limits=Limits(ENDLESS)))
        room = ChatRoom(rooms, ENDLESS_TEXT, endless, opener=partial(open_journal, tmp_path))
        room.enter()
        room.type("Go")
        room.press("send")
        room.until_phase(Phase.GENERATING)
        said = room.part(QLabel, "notice_what")
        room.until(lambda: "another Sluice has it open" in said.text() and said.isVisible())
        room.saving.save_elsewhere(elsewhere)
        room.until(lambda: str(elsewhere) in said.text())
        room.press("dismiss")
        room.playground.stop()
        room.until(lambda: room.state.phase is Phase.READY and room.journal.folder == elsewhere)
        assert not said.isVisible()
        room.close()
    with reading(elsewhere) as journal:
        assert [info.title.partition(":")[0] for info in journal.sessions.rows()] == ["Go"]
