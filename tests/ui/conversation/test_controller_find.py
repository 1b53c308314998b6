"""Find in the conversation: by keyboard, on other branches, and back."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget

from app.controls import Controls, Mode
from app.engine.echo.engine import EchoOptions
from app.engine.types import Limits
from app.files.settings import Settings
from app.i18n import tr
from app.state import Phase
from tests.ui.conversation.room import ConversationRoom
from tests.ui.desk import Desk, act, named
from tests.ui.room import QUICK, Rooms

pytestmark = pytest.mark.in_korean

LONG = "\n\n".join(f"Paragraph {number} is there to be scrolled past." for number in range(60))
KNOBS = replace(QUICK, replies=(f"A **needle** in the answer.\n\n{LONG}\n\nThe last needle.",))
WHOLE = Settings(controls=Controls(limits=Limits(5000)))
Converse = Callable[..., ConversationRoom]


def found(at: object, count: int) -> str:
    return tr("{number} of {count}").format(number=at, count=count)


def selected(room: ConversationRoom) -> str:
    """Return the selected match, which must be visible."""
    assert room.text.viewport().rect().intersects(room.text.cursorRect())
    return room.text.textCursor().selectedText()


def seek(room: ConversationRoom, words: str) -> None:
    room.activateWindow()
    room.bar.open()
    QTest.keyClick(room.search, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    room.search.setText(words)


@pytest.fixture
def converse(rooms: Rooms) -> Converse:
    def conversed(question: str = "where is the needle", knobs: EchoOptions = KNOBS) -> ConversationRoom:
        room = ConversationRoom(rooms, knobs, WHOLE)
        room.enter()
        room.send(question)
        return room

    return conversed


def test_find_marks_matches_and_esc_returns_to_the_place(converse: Converse) -> None:
    room = converse()
    view = room.text
    end = view.verticalScrollBar().value()
    assert end > 0
    seek(room, "NEEDLE")
    assert (room.found, len(view.extraSelections())) == (found(3, 3), 3)
    QTest.keyClick(room.search, Qt.Key.Key_Return)
    assert (room.found, selected(room), view.turn_of(view.textCursor().position())) == (found(1, 3), "needle", 0)
    room.bar.step(1)
    assert (room.found, selected(room), view.turn_of(view.textCursor().position())) == (found(2, 3), "needle", 1)
    QTest.keyClick(room.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert room.found == found(1, 3)
    QTest.keyClick(room.search, Qt.Key.Key_Escape)
    assert not room.search.isVisible()
    room.until(lambda: view.verticalScrollBar().value() == end)
    assert view.extraSelections() == []
    assert not view.textCursor().hasSelection()


def test_find_without_matches_says_so(converse: Converse) -> None:
    room = converse()
    seek(room, "haystack")
    nothing = tr("No matches.")
    assert room.found == nothing
    assert room.part(QLabel, "conversation_found").accessibleName() == tr("Matches: {words}").format(words=nothing)
    room.playground.new_session()
    assert not room.search.isVisible(), "another session leaves the search"


def test_find_in_another_branch_shows_it_and_esc_returns(converse: Converse) -> None:
    room = converse("an old question, 옛 질문")
    assert room.playground.edit(0, "a new question")
    room.until_phase(Phase.READY)
    new = room.state.turns
    seek(room, "question")
    assert room.found == found(2, 2)
    seek(room, "옛 질문")
    assert room.found == found(1, 1)
    room.bar.step(1)
    assert room.state.turns[0].text == "an old question, 옛 질문"
    assert (room.found, selected(room)) == (found(1, 1), "옛 질문")
    QTest.keyClick(room.search, Qt.Key.Key_Escape)
    assert [turn.id for turn in room.state.turns] == [turn.id for turn in new]


def test_find_in_several_branches_visits_each_match_once(converse: Converse) -> None:
    room = converse("question one")
    for number in ("two", "three"):
        assert room.playground.edit(0, f"question {number}")
        room.until_phase(Phase.READY)
    seek(room, "question")
    seen = []
    for _ in range(3):
        seen.append((room.found, room.state.turns[0].text))
        QTest.keyClick(room.search, Qt.Key.Key_Return)
    assert sorted(seen) == [
        (found(1, 3), "question one"),
        (found(2, 3), "question two"),
        (found(3, 3), "question three"),
    ]


def test_find_in_folded_reasoning_unfolds_it(converse: Converse) -> None:
    room = converse("hello", replace(KNOBS, replies=("Done.",), reasoning="a needle in thought"))
    assert "in thought" not in room.text.plain_text()
    seek(room, "in thought")
    assert room.found == found(1, 1)
    room.bar.step(1)
    assert selected(room) == "in thought"


def test_find_while_streaming_searches_again(converse: Converse) -> None:
    room = converse()
    seek(room, "needle")
    assert room.found.endswith(found("", 3))
    room.send("needle again")
    room.until(lambda: room.found.endswith(found("", 6)))


def test_find_in_a_branch_works_without_visible_turns(converse: Converse) -> None:
    room = converse("first needle")
    assert room.playground.edit(0, "second needle")
    room.until_phase(Phase.READY)
    assert room.playground.delete(0)
    seek(room, "first needle")
    assert (room.found, room.state.turns) == (found(1, 1), ())
    QTest.keyClick(room.search, Qt.Key.Key_Return)
    room.until(lambda: room.text.textCursor().selectedText() == "first needle")
    QTest.keyClick(room.search, Qt.Key.Key_Escape)
    assert room.state.turns[0].text == "first needle", "there is nothing to go back to"


@pytest.mark.slow
def test_find_in_the_window_opens_at_the_focus_and_searches_a_raw_page(desk: Desk) -> None:
    window = desk.ready(knobs=KNOBS)
    window.activateWindow()
    desk.send(window, "where is the needle")
    act(window, "toggle_exact_prompt").trigger()
    for where, field in (("exact_prompt_tokens", "exact_prompt_search"), ("prompt", "conversation_search")):
        named(window, QWidget, where).setFocus()
        act(window, "find").trigger()
        assert QApplication.focusWidget() is named(window, QLineEdit, field)
    QTest.mouseClick(named(window, QWidget, "mode_raw"), Qt.MouseButton.LeftButton)
    assert window.playground.state.controls.mode is Mode.RAW
    prompt, bar = named(window, QPlainTextEdit, "prompt"), named(window, QLineEdit, "conversation_search")
    said = named(window, QLabel, "conversation_found")
    prompt.setPlainText("A needle.\nNo more.\nA needle again.")
    prompt.setFocus()
    act(window, "find").trigger()
    bar.setText("needle")
    assert said.text() == found(1, 2)
    QTest.keyClick(bar, Qt.Key.Key_Return)
    assert (said.text(), prompt.textCursor().selectedText()) == (found(2, 2), "needle")
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    assert (len(prompt.extraSelections()), QApplication.focusWidget()) == (0, prompt)
