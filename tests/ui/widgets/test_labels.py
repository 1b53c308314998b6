import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.ui.widgets import plain_label
from app.ui.widgets.labels import OneLine, Prose
from app.ui.widgets.naming import as_tip


def test_prose_breaks_no_line_between_a_number_and_its_unit(qtbot: QtBot) -> None:
    words = "Cut at 23 % of it"
    label, other = plain_label("", words, wraps=True), plain_label("", words)
    for each in (label, other):
        qtbot.addWidget(each)
    assert isinstance(label, Prose) and label.text() == other.text() == words
    label.setText(f"{words}, 676 tok/s")
    words_shown = QLabel.text(label).split(" ")
    assert words_shown[:3] == ["Cut", "at", "23\u00a0%"] and words_shown[-1] == "676\u00a0tok/\u2060s"
    assert label.text() == f"{words}, 676 tok/s"


def test_prose_text_and_copied_text_are_unchanged(qtbot: QtBot) -> None:
    words = "676 tok/s of 4 GB in /models/a 12 GB/b"
    label = plain_label("", words, wraps=True, selectable=True)
    qtbot.addWidget(label)
    label.setTextInteractionFlags(label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByKeyboard)
    label.show()
    assert "676\u00a0tok" in QLabel.text(label)
    label.setSelection(0, len(words))
    QTest.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == words
    label.setText("a\u00a0name of a file\u2060")
    assert label.text() == "a\u00a0name of a file\u2060"


def test_one_line_is_elided_and_needs_no_width(qtbot: QtBot) -> None:
    line = OneLine()
    qtbot.addWidget(line)
    line.setText("Far more words than there is room for")
    assert line.minimumSizeHint().width() == 0
    line.resize(line.sizeHint())
    line.show()
    whole = line.grab().toImage()
    line.resize(whole.width() // 2, line.height())
    half = line.grab().toImage()
    assert half != whole.copy(half.rect())
    assert line.text() == "Far more words than there is room for"


@pytest.mark.parametrize("text", ["plain", "a < b", "1 & 2\nlines", ""])
def test_as_tip_plain_text_is_unchanged(text: str) -> None:
    assert as_tip(text) == text


@pytest.mark.parametrize("text", ["<b>bold</b>", '<img src="file:///x"> &amp; more', "<i>two  blanks</i>\nand lines"])
def test_as_tip_markup_is_escaped(text: str) -> None:
    assert as_tip(text) != text
    assert QTextDocumentFragment.fromHtml(as_tip(text)).toPlainText() == text
