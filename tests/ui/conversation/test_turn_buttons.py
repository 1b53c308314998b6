"""The buttons of a turn, at the pointer and at the text cursor."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QToolButton, QWidget

from app.engine.types import ChatPrompt, Role
from app.state import Phase
from app.ui.conversation.turn_buttons import SettingsLabel
from app.ui.document.turns import EDITED, TurnAction
from tests.ui.conversation.room import ConversationRoom
from tests.ui.room import Rooms


@pytest.fixture
def room(rooms: Rooms) -> ConversationRoom:
    made = ConversationRoom(rooms)
    made.enter()
    made.send("Hello")
    made.send("And?")
    return made


def hover(room: ConversationRoom, index: int) -> None:
    turn, text = room.text._turns[index], room.text
    box = text._page.box_of(turn)
    place = text.ending_rect(index).topLeft() - QPoint(-2, 2) if box is None else text._box_rect(box).center().toPoint()
    QTest.mouseMove(text.viewport(), place)
    room.until(lambda: room.part(QWidget, "turn_buttons").isVisible())


def shown(room: ConversationRoom) -> set[str]:
    buttons = room.part(QWidget, "turn_buttons")
    return {each.objectName() for each in buttons.findChildren(QAbstractButton) if each.isVisible()}


def test_hover_shows_the_buttons_of_a_prompt_above_it(room: ConversationRoom) -> None:
    hover(room, 2)
    assert shown(room) == {"copy_turn", "resend_turn", "edit_turn", "menu_turn"}
    box = room.text._page.box_of(room.text._turns[2])
    assert box is not None
    assert room.part(QWidget, "turn_buttons").geometry().bottom() < room.text._box_rect(box).top()
    room.press("copy_turn")
    assert QGuiApplication.clipboard().text() == "And?"
    edited: list[int] = []
    room.conversation.edit_wanted.connect(edited.append)
    room.press("edit_turn")
    assert edited == [2]


def test_buttons_stay_at_their_turn_while_a_click_moves_the_focus_and_a_menu_opens(room: ConversationRoom) -> None:
    room.text.moveCursor(QTextCursor.MoveOperation.Start)
    hover(room, 1)
    before = shown(room)
    room.text.setFocus(Qt.FocusReason.MouseFocusReason)
    room.press("menu_turn")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and all(act.isEnabled() for act in menu.actions())
    QApplication.sendEvent(room.text.viewport(), QEvent(QEvent.Type.Leave))
    assert shown(room) == before and "regenerate_turn" in before
    menu.close()


def test_buttons_too_wide_for_the_line_are_below_it(room: ConversationRoom) -> None:
    beside, below = (room.text.buttons_place(1, QSize(width, 20)) for width in (10, 10_000))
    assert beside is not None and below is not None
    assert below.x() < beside.x() and below.y() >= beside.y() + 10


def test_details_button_displays_the_run_of_an_earlier_answer(room: ConversationRoom) -> None:
    hover(room, 1)
    assert shown(room) == {"copy_turn", "regenerate_turn", "edit_turn", "details_turn", "menu_turn"}
    room.press("details_turn")
    assert room.playground.shown.now.index == 1 and room.details.isVisible()
    assert not room.part(QWidget, "turn_buttons").isVisible(), "the finish line has them now"


def test_focus_shows_the_buttons_of_the_turn_at_the_text_cursor(room: ConversationRoom) -> None:
    room.text.setTextCursor(room.text.document().find("Hello"))
    room.text.setFocus(Qt.FocusReason.TabFocusReason)
    room.until(lambda: "resend_turn" in shown(room))
    room.press("resend_turn")
    room.until_phase(Phase.READY)
    assert len(room.state.turns) == 2


def test_edited_answer_is_a_branch_without_actions_for_a_run(room: ConversationRoom) -> None:
    before = room.state.turns
    assert room.playground.edit(1, "My words.")
    assert [turn.text for turn in room.state.turns] == ["Hello", "My words."]
    assert EDITED in room.text.toPlainText()
    hover(room, 1)
    assert shown(room) == {"copy_turn", "regenerate_turn", "edit_turn", "menu_turn"}
    room.text.branch_wanted.emit(1, -1)
    assert [turn.text for turn in room.state.turns] == [turn.text for turn in before]


def test_branch_when_flipped_keeps_its_place(room: ConversationRoom) -> None:
    room.resize(500, 320)
    assert room.playground.edit(1, "Word. " * 400)
    room.text.verticalScrollBar().setValue(20)
    for by in (-1, 1):
        start = room.text._turns[1].start
        assert start is not None
        top = room.text._rect_at(start.position).top()
        room.text.branch_wanted.emit(1, by)
        start = room.text._turns[1].start
        assert start is not None and room.text._rect_at(start.position).top() == top
        assert not room.text.following


def test_failed_prompt_is_marked_and_not_sent_with_the_next_one(room: ConversationRoom) -> None:
    room.send("long " * 5_000)
    assert room.state.turns[-1].is_failed
    assert "This prompt is not sent with later ones." in room.text.toPlainText()
    room.send("Again")
    run = room.state.last_run
    assert run is not None and isinstance(run.request.prompt, ChatPrompt)
    asked = [message.text for message in run.request.prompt.messages if message.role is Role.USER]
    assert asked == ["Hello", "And?", "Again"]
    room.text.apply(TurnAction.REGENERATE, 5)
    room.until_phase(Phase.READY)
    assert len(room.state.turns) == 6 and room.state.turns[-1].is_failed, "it can be retried"


def test_settings_of_an_answer_appear_at_the_pointer_and_can_be_used_and_undone(room: ConversationRoom) -> None:
    before = room.state.controls
    changes: list[tuple[str, object]] = []
    room.conversation.controls_replaced.connect(lambda *change: changes.append(change))
    hover(room, 1)
    label = room.part(SettingsLabel, "turn_settings")
    assert label.isHidden(), "the controls are still the same"
    room.conversation._apply_to_turn(TurnAction.USE_SETTINGS, 1)
    assert changes.pop() == ("The controls already have the settings of this answer.", None)
    changed = replace(before, sampling=replace(before.sampling, temperature=0.1))
    room.playground.set_controls(changed)
    hover(room, 2)
    hover(room, 1)
    assert label.isVisible() and label.text() == f"Run settings: temperature {before.sampling.temperature}"
    assert label.fitted(1_000) == label.text()
    assert label.fitted(100) == "Settings differ" and not label.fitted(20), "no word is cut off"
    assert label.text() in room.part(QToolButton, "menu_turn").toolTip()
    room.conversation._apply_to_turn(TurnAction.USE_SETTINGS, 1)
    assert room.state.controls == before
    (_, restore) = changes.pop()
    assert callable(restore)
    restore()
    assert room.state.controls == changed
