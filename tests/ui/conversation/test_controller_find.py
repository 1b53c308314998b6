"""Words are found in the conversation as a person goes through them: by key, on other branches, and back again."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QSpinBox, QWidget

from app.controls import Mode
from app.engine.echo.engine import Knobs
from app.state import Phase
from app.ui.conversation.transcript import Transcript
from app.ui.shell.main_window import MainWindow
from app.words import tr
from tests.ui.desk import Desk, act, named

pytestmark = pytest.mark.in_korean

LONG = "\n\n".join(f"Paragraph {number} is there to be scrolled past." for number in range(60))
REPLY = f"A **needle** in the answer.\n\n{LONG}\n\nThe last needle."
KNOBS = Knobs(tokens_per_second=0, prefill_per_second=0, load_seconds=0, replies=(REPLY,))
REASONED = replace(KNOBS, replies=("Done.",), reasoning="a needle in thought")


def bar(window: MainWindow) -> QLineEdit:
    return named(window, QLineEdit, "conversation_search")


def told(window: MainWindow) -> str:
    return named(window, QLabel, "conversation_found").text()


def found(at: object, count: int) -> str:
    return tr("{number} of {count}").format(number=at, count=count)


def page(window: MainWindow) -> Transcript:
    return named(window, Transcript, "transcript")


def selected(window: MainWindow) -> str:
    """Found, and seen in the view."""
    view = page(window)
    assert view.viewport().rect().intersects(view.cursorRect())
    return view.textCursor().selectedText()


def open_with(window: MainWindow, words: str) -> None:
    window.activateWindow()
    act(window, "find").trigger()
    assert QApplication.focusWidget() is bar(window)
    QTest.keyClick(bar(window), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    bar(window).setText(words)


def conversed(desk: Desk, question: str = "where is the needle") -> MainWindow:
    window = desk.ready(knobs=KNOBS)
    window.resize(1200, 800)
    named(window, QSpinBox, "max_tokens").setValue(5000)
    window.activateWindow()
    named(window, QPlainTextEdit, "prompt").setFocus()
    desk.send(window, question)
    return window


def test_all_are_marked_and_gone_through_and_esc_leads_back(desk: Desk) -> None:
    window = conversed(desk)
    view, prompt = page(window), named(window, QPlainTextEdit, "prompt")
    end = view.verticalScrollBar().value()
    assert end > 0
    open_with(window, "NEEDLE")
    assert (told(window), len(view.extraSelections())) == (found(3, 3), 3)
    QTest.keyClick(bar(window), Qt.Key.Key_Return)
    assert (told(window), selected(window), view.turn_of(view.textCursor().position())) == (found(1, 3), "needle", 0)
    act(window, "find_next").trigger()
    assert (told(window), selected(window), view.turn_of(view.textCursor().position())) == (found(2, 3), "needle", 1)
    QTest.keyClick(bar(window), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert told(window) == found(1, 3)
    QTest.keyClick(bar(window), Qt.Key.Key_Escape)
    assert not bar(window).isVisible()
    desk.qtbot.waitUntil(lambda: view.verticalScrollBar().value() == end)
    assert view.extraSelections() == []
    assert (view.textCursor().hasSelection(), QApplication.focusWidget()) == (False, prompt)


def test_what_is_not_there_is_said(desk: Desk) -> None:
    window = conversed(desk)
    open_with(window, "haystack")
    assert told(window) == tr("Nothing is found.")
    assert named(window, QLabel, "conversation_found").accessibleName() == tr("Finds: {words}").format(
        words=tr("Nothing is found.")
    )


def test_a_find_on_another_branch_brings_that_branch_and_esc_the_one_before(desk: Desk) -> None:
    window = conversed(desk, "an old question, 옛 질문")
    playground = window.playground
    assert playground.edit(0, "a new question")
    desk.until(window, Phase.READY)
    new = playground.state.turns
    open_with(window, "question")
    assert told(window) == found(2, 2)
    open_with(window, "옛 질문")
    assert told(window) == found(1, 1)
    act(window, "find_next").trigger()
    assert playground.state.turns[0].text == "an old question, 옛 질문"
    assert (told(window), selected(window)) == (found(1, 1), "옛 질문")
    QTest.keyClick(bar(window), Qt.Key.Key_Escape)
    assert [turn.id for turn in playground.state.turns] == [turn.id for turn in new]


def test_going_on_comes_by_every_branch_once(desk: Desk) -> None:
    window = conversed(desk, "question one")
    for number in ("two", "three"):
        assert window.playground.edit(0, f"question {number}")
        desk.until(window, Phase.READY)
    open_with(window, "question")
    seen = []
    for _ in range(3):
        seen.append((told(window), window.playground.state.turns[0].text))
        QTest.keyClick(bar(window), Qt.Key.Key_Return)
    assert sorted(seen) == [
        (found(1, 3), "question one"),
        (found(2, 3), "question two"),
        (found(3, 3), "question three"),
    ]


def test_folded_reasoning_is_unfolded_where_a_find_is_in_it(desk: Desk) -> None:
    window = desk.ready(knobs=REASONED)
    desk.send(window, "hello")
    assert "in thought" not in page(window).plain_text()
    open_with(window, "in thought")
    assert told(window) == found(1, 1)
    act(window, "find_next").trigger()
    assert selected(window) == "in thought"


def test_a_page_that_is_written_on_is_looked_through_again(desk: Desk) -> None:
    window = conversed(desk)
    open_with(window, "needle")
    assert told(window).endswith(found("", 3))
    assert window.playground.send("needle again")
    desk.until(window, Phase.READY)
    desk.qtbot.waitUntil(lambda: told(window).endswith(found("", 6)))


@pytest.mark.parametrize("keyboard", ["exact_prompt", "prompt"])
def test_find_opens_what_the_keyboard_is_in(desk: Desk, keyboard: str) -> None:
    window = conversed(desk)
    act(window, "toggle_exact_prompt").trigger()
    where = {"exact_prompt": "exact_prompt_tokens", "prompt": "prompt"}
    named(window, QWidget, where[keyboard]).setFocus()
    act(window, "find").trigger()
    fields = {"exact_prompt": "exact_prompt_search", "prompt": "conversation_search"}
    assert QApplication.focusWidget() is named(window, QLineEdit, fields[keyboard])


def test_a_page_of_raw_text_is_looked_through_in_the_prompt(desk: Desk) -> None:
    window = desk.ready(knobs=KNOBS)
    window.activateWindow()
    act_mode = named(window, QWidget, "mode_raw")
    QTest.mouseClick(act_mode, Qt.MouseButton.LeftButton)
    assert window.playground.state.controls.mode is Mode.RAW
    prompt = named(window, QPlainTextEdit, "prompt")
    prompt.setPlainText("A needle.\nNo more.\nA needle again.")
    open_with(window, "needle")
    assert told(window) == found(1, 2)
    QTest.keyClick(bar(window), Qt.Key.Key_Return)
    assert (told(window), prompt.textCursor().selectedText()) == (found(2, 2), "needle")
    QTest.keyClick(bar(window), Qt.Key.Key_Escape)
    assert (len(prompt.extraSelections()), QApplication.focusWidget()) == (0, prompt)


def test_another_session_leaves_the_search(desk: Desk) -> None:
    window = conversed(desk)
    open_with(window, "needle")
    act(window, "new_session").trigger()
    assert not bar(window).isVisible()


def test_what_is_found_on_a_branch_comes_where_no_turn_is_in_sight(desk: Desk) -> None:
    window = conversed(desk, "first needle")
    assert window.playground.edit(0, "second needle")
    desk.until(window, Phase.READY)
    assert window.playground.delete(0)
    open_with(window, "first needle")
    assert (told(window), window.playground.state.turns) == (found(1, 1), ())
    QTest.keyClick(bar(window), Qt.Key.Key_Return)
    desk.qtbot.waitUntil(lambda: page(window).textCursor().selectedText() == "first needle")
    QTest.keyClick(bar(window), Qt.Key.Key_Escape)
    assert window.playground.state.turns[0].text == "first needle", "there is nothing to go back to"
