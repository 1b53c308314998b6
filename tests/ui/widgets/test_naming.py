"""Words of somebody else stay words in a tooltip."""

import pytest
from PySide6.QtGui import QTextDocument

from app.ui.widgets.naming import as_tip


def read(tip: str) -> str:
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


@pytest.mark.parametrize("text", ["plain", "a < b", "1 & 2\nlines", ""])
def test_what_is_no_markup_stays_as_it_is(text: str) -> None:
    assert as_tip(text) == text


@pytest.mark.parametrize("text", ["<b>bold</b>", '<img src="file:///x"> &amp; more', "<i>two  blanks</i>\nand lines"])
def test_what_looks_like_markup_is_read_as_it_is(text: str) -> None:
    assert as_tip(text) != text
    assert read(as_tip(text)) == text
