"""Formulas on the page: text until their pictures are there, then one character that is copied as the source."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from app.ui.document.formulas import MOST_PICTURES, OBJECT, Formulas
from app.ui.document.latex import INK, FormulaPicture, LatexFormula
from app.ui.document.markdown_writer import MarkdownWriter
from app.ui.document.page import page_text
from app.ui.document.page_look import PageLook
from app.ui.look.theme import Size, Theme
from tests.ui.document.blocks import blocks

SVG = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><rect width="4" height="2" fill="{INK}"/></svg>'
PICTURE = FormulaPicture(SVG, 2.0, 0.8, 0.2)


class Sheet:
    """A document with one answer."""

    def __init__(self, theme: Theme) -> None:
        self.document = QTextDocument()
        self.formulas = Formulas(self.document)
        self.writer = MarkdownWriter(QTextCursor(self.document), PageLook(theme), self.formulas)

    def write(self, text: str) -> None:
        cursor = QTextCursor(self.document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self.writer.write(cursor, text)

    def finish(self) -> None:
        self.writer.finish(QTextCursor(self.document))

    def show(self, picture: FormulaPicture | None = PICTURE) -> None:
        self.formulas.show(dict.fromkeys(self.formulas.take_wanted(MOST_PICTURES), picture))

    @property
    def blocks(self) -> list[QTextBlock]:
        return list(blocks(self.document))

    @property
    def text(self) -> str:
        return page_text(self.document, 0, self.document.characterCount() - 1)


@pytest.fixture
def sheet(theme: Theme) -> Sheet:
    return Sheet(theme)


@pytest.mark.parametrize("portion", [1, 7, 100])
def test_formula_is_drawn_when_complete_and_copied_as_its_source(sheet: Sheet, portion: int) -> None:
    source = "The area $a^2$는 **$b$** and `$c$`, \\(d_1\\) 🙂 $e$."
    for start in range(0, len(source), portion):
        sheet.write(source[start : start + portion])
        sheet.show()
    sheet.finish()
    (block,) = sheet.blocks
    assert block.text() == f"The area {OBJECT}는 {OBJECT} and $c$, {OBJECT} 🙂 {OBJECT}."
    assert sheet.text == "The area $a^2$는 $b$ and $c$, \\(d_1\\) 🙂 $e$."


def test_formula_without_a_picture_stays_text(sheet: Sheet) -> None:
    sheet.write("Open $a, invalid $b$")
    assert sheet.text == "Open $a, invalid $b$"
    sheet.show(None)
    sheet.write(" and $b$")
    assert sheet.formulas.take_wanted(MOST_PICTURES) == []
    assert sheet.text == "Open $a, invalid $b$ and $b$"


def test_pictures_that_come_later_replace_the_text_in_all_blocks(sheet: Sheet) -> None:
    for text in ("First $a$ and $b$.\n\n$a$", " then", "\n\nLast"):
        sheet.write(text)
    wanted = sheet.formulas.take_wanted(MOST_PICTURES)
    assert wanted == [LatexFormula("a"), LatexFormula("b")]
    assert sheet.formulas.show({wanted[0]: PICTURE}) == [(6, -2), (17, -2)]
    assert [block.text() for block in sheet.blocks] == [f"First {OBJECT} and $b$.", f"{OBJECT} then", "Last"]
    assert sheet.text == "First $a$ and $b$.\n$a$ then\nLast"


def test_display_formula_is_centered_on_a_line_of_its_own(sheet: Sheet) -> None:
    sheet.write(
        "Since $$\na + b\n$$. So it is.\n\n- item $$c$$ rest\n\n| $x|y$ | $$d$$ |\n| --- | --- |\n| 1 | 2 |\n\n"
    )
    sheet.show()
    texts = [block.text() for block in sheet.blocks]
    assert texts[:4] == ["Since", f"{OBJECT}.", "So it is.", f"item\u2028{OBJECT}\u2028rest"]
    assert texts.count(OBJECT) == 2, "in two cells of the table"
    centered = [block for block in sheet.blocks if block.blockFormat().alignment() == Qt.AlignmentFlag.AlignHCenter]
    assert [block.text() for block in centered] == [f"{OBJECT}."]
    assert "$$\na + b\n$$." in sheet.text


def test_formula_in_a_link_stays_its_text(sheet: Sheet) -> None:
    sheet.write("[a](https://example.org/$x$) here and there\n\n- code:\n  ```\n  $y$\n  ```\n\nEnd")
    sheet.show()
    assert OBJECT not in sheet.document.toRawText()
    assert "$y$" in sheet.text
    hrefs = [part.format.anchorHref() for part in sheet.blocks[0].textFormats()]
    assert "https://example.org/$x$" in hrefs


def test_wide_formula_is_scaled_to_its_line(sheet: Sheet, theme: Theme) -> None:
    sheet.document.setDefaultFont(theme.font(Size.PROSE))
    for width in (300, 200):
        sheet.write("$w$ ")
        sheet.formulas.show({LatexFormula("w"): FormulaPicture(SVG, 60.0, 0.8, 0.2)})
        sheet.document.setTextWidth(width)
        assert sheet.document.size().width() <= width
