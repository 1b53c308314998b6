from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.records.comparison import word_diff
from app.ui.look.theme import Theme
from app.ui.widgets.diff_view import COMPARING, DiffPane
from tests.ui.desk import named


def test_pane_shows_the_diff_of_the_current_pair(qtbot: QtBot, theme: Theme) -> None:
    pane = DiffPane(theme, "diff")
    qtbot.addWidget(pane)
    told, text = named(pane, QLabel, "diff_told"), named(pane, QPlainTextEdit, "diff")
    asked: list[tuple[str, str]] = []
    pane.pair_picked.connect(lambda first, second: asked.append((first, second)))
    pane.compare("one two", "one three")
    pane.compare("one two", "one three")
    assert asked == [("one two", "one three")] and text.toPlainText() == COMPARING
    pane.show_diff(asked[0], word_diff(*asked[0]))
    assert told.text() == "1 words in both, 1 only in the first, 1 only in the second."
    pane.compare("one two", "four")
    assert (told.text(), text.toPlainText()) == ("", COMPARING)
    pane.show_diff(asked[0], word_diff(*asked[0]))
    assert told.text() == "", "it is the diff of another pair"
    pane.wait("Nothing yet.")
    assert text.toPlainText() == "Nothing yet."
    pane.compare("one two", "four")
    assert asked[2:] == asked[1:2], "it is requested again"
