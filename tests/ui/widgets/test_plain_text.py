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
"""With byte order marks at the beginning, by which Qt would decode the rest."""
ODD = "a\u00a0b\u202fc \u2003d\u200b\ttab \ufeffe 나룻배 🦊\nnext"


@pytest.fixture
def field(qtbot: QtBot) -> PlainText:
    made = PlainText()
    qtbot.addWidget(made)
    return made


def test_plain_text_keeps_every_space(field: PlainText) -> None:
    field.insertPlainText(ODD)
    assert field.toPlainText() == ODD
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    field.insertPlainText("last")
    assert field.toPlainText() == f"{ODD}\nlast", "however a line was ended"


@pytest.mark.parametrize("text", [ODD, *MARKED])
def test_plain_text_is_copied_and_pasted_as_text_only(field: PlainText, text: str) -> None:
    field.setPlainText(text)
    field.selectAll()
    field.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == text and data.formats() == ["text/plain"]
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
def test_plain_text_shows_and_copies_any_text(field: PlainText, text: str) -> None:
    field.show_text(text)
    assert field.toPlainText() == as_lines(text)
    assert not field.show_text(text)
    copy_text(text)
    assert QGuiApplication.clipboard().text() == text


@pytest.mark.parametrize("text", [ODD, *MARKED, "a\r\nb\rc\u2028d\u2029e\x85f\ufdd0g\ufdd1"])
def test_show_text_again_keeps_the_cursor(qtbot: QtBot, field: PlainText, text: str) -> None:
    with qtbot.assertNotEmitted(field.textChanged):
        field.show_text(text)
    field.moveCursor(QTextCursor.MoveOperation.End)
    index = field.textCursor().position()
    assert not field.show_text(text)
    assert field.textCursor().position() == index > 0
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
def test_read_lines_decodes_escapes(text: str, strings: tuple[str, ...]) -> None:
    assert read_lines(text) == strings


@given(st.lists(st.text(alphabet="a\\ntr \n\t\r한", min_size=1)))
def test_written_lines_are_read_back(strings: list[str]) -> None:
    assert read_lines(written_lines(tuple(strings))) == tuple(strings)
