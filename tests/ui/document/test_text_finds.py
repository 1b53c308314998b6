"""Text search across soft breaks, in any case and script."""

import pytest
from PySide6.QtGui import QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.ui.document.plain_writer import HEADER, SOFT
from app.ui.document.text_finds import MOST, find_all

PLACES = [
    ("one two", ["One  two"]),
    ("ONE", ["One"]),
    ("cut here", ["cut here"]),
    ("이게 뭐", ["이게 뭐"]),
    ("🙂 after", ["🙂 after"]),
    ("a+b", ["a+b"]),
    ("Model", []),
    ("  ", []),
]


def document(qtbot: QtBot) -> QTextDocument:
    """Make a header and three lines; the second is cut in the middle of a phrase."""
    made = QTextDocument()
    cursor = QTextCursor(made)
    for number, (text, state) in enumerate(
        [("Model", HEADER), ("One  two. 👩‍👩‍👧 is cut ", -1), ("here, 이게 뭐, a+b", SOFT), ("wide 🙂 after", -1)]
    ):
        if number:
            cursor.insertBlock()
        cursor.insertText(text)
        cursor.block().setUserState(state)
    return made


@pytest.mark.parametrize(("words", "texts"), PLACES)
def test_find_all_matches_across_soft_breaks_and_case(qtbot: QtBot, words: str, texts: list[str]) -> None:
    made = document(qtbot)
    found = find_all(made, words)
    assert [each.selectedText().replace("\u2029", "") for each in found] == texts


def test_find_all_returns_a_limited_number(qtbot: QtBot) -> None:
    made = QTextDocument("a " * (2 * MOST))
    assert len(find_all(made, "a")) == MOST
