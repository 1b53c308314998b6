"""The strip of queued prompts, and a session that is displayed while another one runs."""

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea

from app.bridge.conversation import page_of
from app.controls import Controls, Mode
from app.engine.types import ENDLESS, Limits
from app.files.settings import Settings
from app.records.journal import open_journal
from app.state import Phase
from app.ui.conversation import transcript_update
from app.ui.sessions.list_model import NOTE
from tests.bridge.playing import ENDLESS_TEXT
from tests.ui.chat_room import ChatRoom
from tests.ui.conversation.room import ConversationRoom
from tests.ui.room import Rooms


@pytest.fixture
def room(rooms: Rooms, tmp_path: Path) -> ChatRoom:
    unlimited = Settings(controls=Controls(limits=Limits(ENDLESS)))
    room = ChatRoom(rooms, ENDLESS_TEXT, unlimited, opener=partial(open_journal, tmp_path))
    room.enter()
    return room


def begin(room: ChatRoom, text: str = "Go") -> int:
    room.type(text)
    room.press("send")
    room.until_phase(Phase.GENERATING)
    return room.state.session


def queue(room: ChatRoom, text: str) -> None:
    room.type(text)
    QTest.keyClick(room.editor.field, Qt.Key.Key_Return)


def until_cards(room: ChatRoom, *texts: str) -> None:
    """Wait until the strip shows exactly these prompts: Qt shows and deletes widgets with the next events."""

    def are_shown() -> bool:
        labels = room.queue.findChildren(QLabel, "queued_prompt")
        return [label.text() for label in labels if label.isVisible()] == list(texts)

    room.until(are_shown)


def test_enter_during_a_run_queues_the_prompt_which_can_be_edited_and_removed(room: ChatRoom) -> None:
    begin(room)
    queue(room, "One")
    queue(room, "Two")
    until_cards(room, "One", "Two")
    assert room.typed == ""
    room.type("Typed")
    send = room.part(QAbstractButton, "send")
    assert (send.isVisible(), send.accessibleName()) == (True, "Queue")
    room.press("edit_queued_0")
    until_cards(room, "Two")
    assert (room.typed, room.state.is_queue_held) == ("One\n\nTyped", True)
    queue(room, "One, edited")
    until_cards(room, "One, edited", "Two")
    assert not room.state.is_queue_held
    room.press("remove_queued_1")
    until_cards(room, "One, edited")
    room.press("notice_offer")
    until_cards(room, "One, edited", "Two")
    room.press("stop")
    room.until_phase(Phase.READY)
    room.until(lambda: room.part(QLabel, "queue_held").text() == "2 prompts are queued")
    room.press("remove_queue")
    room.until(lambda: not room.queue.isVisible())
    room.press("notice_offer")
    until_cards(room, "One, edited", "Two")
    assert room.state.is_queue_held, "Undo sends nothing"


def test_more_than_three_queued_prompts_scroll_and_keep_their_place(room: ChatRoom) -> None:
    begin(room)
    texts = [f"Prompt {number}" for number in range(6)]

    def place() -> int:
        bar = room.queue.findChildren(QScrollArea)[-1].verticalScrollBar()
        return bar.maximum() - bar.value() if bar.maximum() else -1

    for text in texts:
        queue(room, text)
    until_cards(room, *texts)
    room.until(lambda: place() == 0)
    height = room.queue.height()
    room.queue.findChildren(QScrollArea)[-1].verticalScrollBar().setValue(0)
    room.press("remove_queued_5")
    until_cards(room, *texts[:-1])
    room.until(lambda: place() > 0)
    for first in (1, 2):
        # Qt deletes the removed ones later.
        next(each for each in room.queue.findChildren(QAbstractButton, "remove_queued_0") if each.isVisible()).click()
        until_cards(room, *texts[first:-1])
    room.until(lambda: not room.queue.findChildren(QScrollArea))
    assert height < room.queue.height() + room.part(QLabel, "queued_prompt").height()


def test_queued_prompts_are_in_the_field_after_a_restart(room: ChatRoom) -> None:
    begin(room)
    queue(room, "One")
    room.type("Typed")
    assert room.again().typed == "One\n\nTyped"


def test_sessions_show_their_own_text_and_what_runs_elsewhere(room: ChatRoom) -> None:
    first = begin(room, "A story")
    queue(room, "One")
    room.type("Typed")
    room.sessions.begin()
    assert room.typed == ""
    queue(room, "Other")
    second = room.state.session
    stop = room.part(QAbstractButton, "stop")

    def is_named(title: str) -> bool:
        return title in room.part(QLabel, "running_elsewhere").text() and title in stop.toolTip()

    room.until(lambda: is_named("A story"))
    room.journal.sessions.rename(first, "Renamed")
    room.until(lambda: is_named("Renamed"))
    assert room.journal.flush()
    room.column.refresh()
    marks = room.column.list.model()
    notes = [marks.index(row, 0).data(NOTE) for row in range(marks.rowCount())]
    assert sorted(filter(None, notes)) == ["1 queued", "running · 1 queued"]
    room.sessions.delete(first)
    assert first in {info.id for info in room.listed()}, "a running session stays"
    until_cards(room, "Other")
    room.press("show_running")
    until_cards(room, "One")
    assert (room.state.session, room.typed) == (first, "Typed")
    room.open(second)
    until_cards(room, "Other")
    assert room.typed == ""
    room.press("stop")
    held = "2 prompts are queued, 1 of them in another session"
    room.until(lambda: held in [label.text() for label in room.queue.findChildren(QLabel, "queue_held")])


def test_raw_page_that_runs_is_shown_again(room: ChatRoom) -> None:
    room.set_mode(Mode.RAW)
    first = begin(room, "Once")
    room.until(lambda: len(room.typed) > 20)
    room.sessions.begin()
    assert room.typed == "" and not room.editor.field.isReadOnly()
    room.open(first)
    assert room.editor.field.isReadOnly() and len(room.typed) > 20
    room.press("stop")
    room.until_phase(Phase.READY)
    assert room.typed == page_of(room.state.turns) and not room.editor.page_is_touched


def test_transcript_shows_a_continued_answer_again(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    room = ConversationRoom(rooms, ENDLESS_TEXT)
    room.enter()
    monkeypatch.setattr(transcript_update, "SCREENFUL", 10)  # as a long answer
    room.playground.set_controls(Controls(limits=Limits(5)))
    assert room.playground.send("Go")
    room.until(lambda: room.state.last_run is not None)
    room.playground.set_controls(Controls(limits=Limits(100_000)))
    assert room.playground.continue_run()
    room.until_phase(Phase.GENERATING)
    session = room.state.session
    assert room.playground.new_session() and room.text.plain_text() == ""
    assert room.playground.open_session(session)
    room.until(lambda: room.state.session == session)
    assert room.playground.stop()
    room.until_phase(Phase.READY)
    assert room.text.turn_text(1) == room.state.turns[1].text
