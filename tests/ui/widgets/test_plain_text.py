"""What is typed and copied is what stands there, to the letter."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.widgets.plain_text import PlainText

ODD = "a\u00a0b\u202fc \u2003d\u200b\ttab \ufeffe 나룻배 🦊\nnext"


@pytest.fixture
def field(qtbot: QtBot) -> PlainText:
    made = PlainText()
    qtbot.addWidget(made)
    return made


def test_every_blank_is_the_one_that_was_typed(field: PlainText) -> None:
    field.insertPlainText(ODD)
    assert field.toPlainText() == ODD
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    field.insertPlainText("last")
    assert field.toPlainText() == f"{ODD}\nlast", "however a line was ended"


def test_it_is_copied_and_dropped_elsewhere_as_text_alone(field: PlainText) -> None:
    field.setPlainText(ODD)
    field.selectAll()
    field.copy()
    told = QGuiApplication.clipboard().mimeData()
    assert told.text() == ODD and told.formats() == ["text/plain"]
    field.clear()
    field.paste()
    assert field.toPlainText() == ODD


@pytest.mark.parametrize("text", [ODD, "a\r\nb\rc\u2028d\u2029e\x85f"])
def test_what_is_shown_again_leaves_the_cursor_alone(qtbot: QtBot, field: PlainText, text: str) -> None:
    with qtbot.assertNotEmitted(field.textChanged):
        field.show_text(text)
    field.moveCursor(QTextCursor.MoveOperation.End)
    place = field.textCursor().position()
    field.show_text(text)
    assert field.textCursor().position() == place > 0
    field.show_text("other")
    assert field.toPlainText() == "other"
