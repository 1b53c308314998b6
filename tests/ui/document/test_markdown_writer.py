"""Streamed Markdown is parsed only where it must be, and always looks as if it had been."""

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextCursor, QTextDocument

from app.ui.document.formulas import Formulas
from app.ui.document.markdown_writer import MarkdownWriter, can_be_opened, shown_address
from app.ui.document.page_look import PageLook
from app.ui.look.theme import Theme
from tests.ui.document.blocks import blocks

TRICKY = [
    "A *word* and more, well-known: it's (quite) long… and `code` too, or “this”? Yes! So be it.",
    "See www.example.com/rivers or https://example.com/a.b?c=d and somebody@example.org there.",
    "One [link](https://example.com) here, [another] there and a footnote[^1] as well.",
    "1. First item\n2. Second *item*, which goes on\n12. Twelfth\n- dash\n  - inner one\n\nEnd.",
    "# A heading that is long\n## Another one, too\nText *right* below it goes on",
    "> A quote - with a dash that\ngoes on lazily here\n\nTom &amp; Jerry &lt;b&gt; and &copy; or AT&T; so.",
    "Snake_case_words and __bold__ words, _it_s and *it*s, 2*3*4 and a ** b ** c.",
    "| A | B |\n| --- | ---: |\n| one cell | 2 |\n\nA *setext*\nheading line\n===\n\nA line: ends  \nhere",
]


class Watched(MarkdownWriter):
    """A writer that counts how often a block is parsed."""

    def __init__(self, cursor: QTextCursor, look: PageLook) -> None:
        super().__init__(cursor, look, Formulas(cursor.document()))
        self.drawn = 0

    def _draw(self, cursor: QTextCursor, source: str) -> None:
        self.drawn += 1
        super()._draw(cursor, source)


class Parsing(Watched):
    """A writer that parses whenever there is markup."""

    def _append_text(self, cursor: QTextCursor, source: str) -> bool:
        return False


class Sheet:
    """A document with one writer."""

    def __init__(self, kind: type[Watched], look: PageLook) -> None:
        self.document = QTextDocument()
        self.writer = kind(QTextCursor(self.document), look)

    def write(self, text: str) -> None:
        cursor = QTextCursor(self.document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        self.writer.write(cursor, text)
        cursor.endEditBlock()

    def look(self) -> list[tuple[object, ...]]:
        """Return all visible text and formats."""
        seen: list[tuple[object, ...]] = []
        for block in blocks(self.document):
            form = block.blockFormat()
            seen.append((block.text(), form.headingLevel(), form.indent(), form.leftMargin(), block.textList() is None))
            for part in block.textFormats():
                char = part.format
                how = (char.fontItalic(), char.fontWeight(), char.fontFixedPitch(), char.anchorHref())
                seen.append((part.start, part.length, *how, char.foreground().color().name()))
        return seen


@pytest.mark.parametrize("portion", [1, 2, 7])
@pytest.mark.parametrize("source", TRICKY)
def test_appended_text_looks_as_if_it_had_been_parsed(theme: Theme, source: str, portion: int) -> None:
    look = PageLook(theme)
    growing, parsing = Sheet(Watched, look), Sheet(Parsing, look)
    for start in range(0, len(source), portion):
        for sheet in (growing, parsing):
            sheet.write(source[start : start + portion])
        assert growing.look() == parsing.look(), source[: start + portion]
    assert growing.writer.drawn <= parsing.writer.drawn


@pytest.mark.parametrize("portion", [1, 3, 50])
def test_byte_order_mark_changes_no_text(theme: Theme, portion: int) -> None:
    sheet, source = Sheet(Watched, PageLook(theme)), "\ufffe나룻배 \ufffeab"
    for start in range(0, len(source), portion):
        sheet.write(source[start : start + portion])
    assert sheet.document.toRawText().strip("\u2029") == source


def test_words_after_markup_are_appended_without_parsing(theme: Theme) -> None:
    sheet = Sheet(Watched, PageLook(theme))
    sheet.write("A *river* is well-known")
    before = sheet.writer.drawn
    for _ in range(50):
        sheet.write(", and so are its")
        sheet.write(" many springs")
    assert sheet.writer.drawn == before
    sheet.write(" in *the* hills")
    assert sheet.writer.drawn == before + 1


@pytest.mark.parametrize(
    ("address", "may"),
    [
        ("https://example.org/a", True),
        ("mailto:a@example.org", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("branch:1/1", False),
        ("", False),
    ],
)
def test_can_be_opened_is_true_for_web_and_mail(address: str, may: bool) -> None:
    assert can_be_opened(address) is may


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        ("https://example.org/\u202egnp.exe", "https://example.org/%E2%80%AEgnp.exe"),
        ("https://ex\u0430mple.org/", "https://xn--exmple-4nf.org/"),
    ],
)
def test_shown_address_is_encoded(address: str, shown: str) -> None:
    assert shown_address(QUrl(address)) == shown
