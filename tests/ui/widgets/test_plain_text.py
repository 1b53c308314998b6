"""What is typed and copied is what stands there, to the letter."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.widgets.escapes import read_lines, written_lines
from app.ui.widgets.plain_text import PlainText, as_lines, copy_text

MARKED = "\ufeffa\ufeffb", "\ufeff\ufeffab", "\ufeff", "\ufffea나룻배", "\ufeff\ufffea🦊"
"""With marks of the order of bytes in front, by which Qt would read all that follows."""
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


@pytest.mark.parametrize("text", [ODD, *MARKED])
def test_it_is_copied_and_dropped_elsewhere_as_text_alone(field: PlainText, text: str) -> None:
    field.setPlainText(text)
    field.selectAll()
    field.copy()
    told = QGuiApplication.clipboard().mimeData()
    assert told.text() == text and told.formats() == ["text/plain"]
    field.clear()
    field.paste()
    assert field.toPlainText() == text
    field.clear()
    field.insertPlainText(text)
    assert field.toPlainText() == text


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
@example("\ufeff\ufdd0\ufffe\ufdd1")
def test_whatever_is_shown_is_what_stands_there(field: PlainText, text: str) -> None:
    field.show_text(text)
    assert field.toPlainText() == as_lines(text)
    assert not field.show_text(text)
    copy_text(text)
    assert QGuiApplication.clipboard().text() == text


@pytest.mark.parametrize("text", [ODD, *MARKED, "a\r\nb\rc\u2028d\u2029e\x85f\ufdd0g\ufdd1"])
def test_what_is_shown_again_leaves_the_cursor_alone(qtbot: QtBot, field: PlainText, text: str) -> None:
    with qtbot.assertNotEmitted(field.textChanged):
        field.show_text(text)
    field.moveCursor(QTextCursor.MoveOperation.End)
    place = field.textCursor().position()
    assert not field.show_text(text)
    assert field.textCursor().position() == place > 0
    assert field.show_text("other")
    assert field.toPlainText() == "other"


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("", ()),
        ("a\n\nb", ("a", "b")),
        ("\\n\\n\nEND", ("\n\n", "END")),
        ("\\\\n", ("\\n",)),
        ("a\\", ("a\\",)),
        (" \\t", (" \t",)),
    ],
)
def test_read(text: str, strings: tuple[str, ...]) -> None:
    assert read_lines(text) == strings


@given(st.lists(st.text(alphabet="a\\ntr \n\t\r한", min_size=1)))
def test_what_is_written_is_read_back(strings: list[str]) -> None:
    assert read_lines(written_lines(tuple(strings))) == tuple(strings)
