"""Find in the exact prompt marks all tokens of a match."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.prompt.exact_prompt import NEXT, SENT, ExactPromptPane, ShownPrompt
from app.ui.widgets.find_bar import FindBar
from tests.ui.prompt.prompts import PROMPT, colours, label, opened, words


def seek(pane: ExactPromptPane, text: str) -> QLineEdit:
    bar, field = pane.findChild(FindBar), pane.findChild(QLineEdit, "exact_prompt_search")
    assert bar is not None and field is not None
    bar.open()
    field.setText(text)
    return field


def test_find_across_tokens_marks_all_of_them(qtbot: QtBot, theme: Theme) -> None:
    pane = opened(qtbot, theme)
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    plain = colours(pane)
    seek(pane, "KIND h")
    assert label(pane, "exact_prompt_found") == "1 of 1"
    assert colours(pane) - plain
    told = pane.findChild(QLabel, "exact_prompt_found")
    assert told is not None and told.accessibleName() == "Matches: 1 of 1"


def test_find_shows_the_next_match_and_leave_returns(qtbot: QtBot, theme: Theme) -> None:
    pane = opened(qtbot, theme)
    pane.show_reading(SENT, ShownPrompt(words(3_000)))
    scroll = pane.tokens.verticalScrollBar()
    scroll.setValue(0)
    field = seek(pane, "word")
    assert label(pane, "exact_prompt_found") == "1 of 1,000"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert (label(pane, "exact_prompt_found"), scroll.value() > 0) == ("1,000 of 1,000", True)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert (scroll.value(), field.isVisible()) == (0, False)


def test_find_searches_a_new_prompt(qtbot: QtBot, theme: Theme) -> None:
    pane = opened(qtbot, theme)
    pane.show_reading(NEXT, ShownPrompt(PROMPT))
    seek(pane, "word")
    assert label(pane, "exact_prompt_found") == "No matches."
    pane.show_reading(NEXT, ShownPrompt(words(2)))
    assert label(pane, "exact_prompt_found") == "1 of 2"
