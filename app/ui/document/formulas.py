"""Draws the formulas of a text document. A formula is text until its picture is there, and then one character."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextList,
    QTextTable,
)
from PySide6.QtSvg import QSvgRenderer

from app.ui.document.formula_source import FIRST_MARK, MARKED, FoundFormula
from app.ui.document.latex import INK, FormulaPicture, LatexFormula
from app.ui.document.soft_breaks import between

OBJECT = "\ufffc"
"""The character of a drawn formula."""
OBJECT_TYPE = QTextFormat.ObjectTypes.UserObject.value + 1
NUMBER, LATEX, DISPLAY, SOURCE = (QTextFormat.Property.UserProperty.value + 11 + number for number in range(4))
"""Properties of a formula's characters: its number in the block, its LatexFormula, and its source with delimiters."""
MOST_PICTURES = 2_000
"""Maximum number of formulas in a conversation; more stay text."""
MOST_RENDERERS = 200
SIZE = 1.1
"""Size of a formula relative to the text, since letters of the formula's font are smaller."""
ROOM_BELOW_EM = 0.45
"""Depth below the baseline that a line of prose has room for."""
_LINE_BREAK = "\u2028"
_PUNCTUATION = ".,;:"
_MIDDLE = QTextCharFormat.VerticalAlignment.AlignMiddle


class FormulaObject(QPyTextObject):
    """Qt's handler for drawn formulas. A formula that is wider than its line is scaled down."""

    def __init__(self, pictures: Mapping[LatexFormula, FormulaPicture | None]) -> None:
        super().__init__()
        self._pictures = pictures
        self._renderers: dict[tuple[str, str], QSvgRenderer] = {}

    def intrinsicSize(self, document: QTextDocument, position: int, form: QTextFormat) -> QSizeF:
        picture = self._pictures.get(formula_of(form))
        if picture is None:
            return QSizeF()
        em = _em(form, picture, _room(document, position))
        return QSizeF(picture.width * em, _box(form, picture, em)[1])

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, _document: QTextDocument, _position: int, form: QTextFormat
    ) -> None:
        picture = self._pictures.get(formula_of(form))
        if picture is None:
            return
        em = rect.width() / picture.width
        top = rect.top() + _box(form, picture, em)[0] - picture.ascent * em
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = QRectF(rect.left(), top, rect.width(), (picture.ascent + picture.descent) * em)
        self._renderer(picture.svg, form.foreground().color().name()).render(painter, place)
        painter.restore()

    def _renderer(self, svg: str, color: str) -> QSvgRenderer:
        if (svg, color) not in self._renderers:
            if len(self._renderers) >= MOST_RENDERERS:
                self._renderers.clear()
            self._renderers[svg, color] = QSvgRenderer(QByteArray(svg.replace(INK, color).encode()))
        return self._renderers[svg, color]


class Formulas(QObject):
    """The formulas of one document, and the pictures of all formulas that it has shown."""

    wanted = Signal()
    """Formulas without a picture are on the page: see `take_wanted`."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._pictures: dict[LatexFormula, FormulaPicture | None] = {}
        self._wanted: list[LatexFormula] = []
        self._requested: set[LatexFormula] = set()
        """Formulas that are wanted or being rendered."""
        self._pending: list[QTextCursor] = []
        """Positions in blocks with formulas that are still text."""
        self._object = FormulaObject(self._pictures)
        document.documentLayout().registerHandler(OBJECT_TYPE, self._object)

    def forget(self) -> None:
        """Forget all pictures, since the page has no formula any more."""
        self._pictures.clear()
        self._wanted.clear()
        self._requested.clear()
        self._pending.clear()

    def take_wanted(self, most: int) -> list[LatexFormula]:
        """Return the next formulas to render, each once."""
        taken, self._wanted = self._wanted[:most], self._wanted[most:]
        return taken

    def add(self, first: QTextBlock) -> None:
        """Draw the formulas from this block on, or request their pictures."""
        block = first
        while block.isValid():
            self._draw_in(block)
            block = block.next()
        if self._wanted:
            self.wanted.emit()

    def show(self, pictures: Mapping[LatexFormula, FormulaPicture | None]) -> list[tuple[int, int]]:
        """Draw formulas that have got pictures. Return the position and the change of length of each edit."""
        self._pictures.update(pictures)
        self._requested -= pictures.keys()
        blocks = {mark.blockNumber(): mark.block() for mark in self._pending}
        self._pending.clear()
        return [edit for number in sorted(blocks) for edit in self._draw_in(blocks[number])]

    def _draw_in(self, block: QTextBlock) -> list[tuple[int, int]]:
        edits, missing = list[tuple[int, int]](), False
        for cursor in _formulas_in(block):
            formula = formula_of(cursor.charFormat())
            if (picture := self._pictures.get(formula)) is not None:
                edits.append((cursor.selectionStart(), 1 - _units(cursor.selectedText())))
                _draw(cursor, picture)
            elif formula not in self._pictures and self._request(formula):
                missing = True
        if missing and all(mark.block() != block for mark in self._pending):
            self._pending.append(QTextCursor(block))
            self._pending[-1].setKeepPositionOnInsert(True)  # or new text would move it to the next block
        return edits

    def _request(self, formula: LatexFormula) -> bool:
        """Request a picture, and return whether it will come."""
        if formula not in self._requested:
            if len(self._pictures) + len(self._requested) >= MOST_PICTURES:
                return False
            self._requested.add(formula)
            self._wanted.append(formula)
        return True


def formula_of(form: QTextFormat) -> LatexFormula:
    return LatexFormula(str(form.property(LATEX) or ""), bool(form.property(DISPLAY)))


def text_within(block: QTextBlock, first: int, last: int) -> str:
    """Return the text of a block between two positions, with the sources of drawn formulas."""
    text = block.text()
    if OBJECT not in text:
        return between(text, first, last)
    pieces = []
    for part in block.textFormats():
        start, end = max(first, part.start), min(last, part.start + part.length)
        if start < end:
            drawn = part.format.objectType() == OBJECT_TYPE
            pieces.append(str(part.format.property(SOURCE)) if drawn else between(text, start, end))
    return "".join(pieces)


def write_sources(first: QTextBlock, formulas: Sequence[FoundFormula], prose: QTextCharFormat) -> None:
    """Replace the marks in parsed blocks by the sources of the formulas. In code and links these stay plain text."""
    block = first
    while block.isValid():
        for part in block.textFormats():
            if part.format.isAnchor() and MARKED.search(part.format.anchorHref()):
                part.format.setAnchorHref(_with_sources(part.format.anchorHref(), formulas))
                _select(block, part.start, part.length).setCharFormat(part.format)
        while (mark := MARKED.search(block.text())) is not None:
            _write_source(_select(block, _units(block.text()[: mark.start()]), 1), formulas, prose)
        block = block.next()


def _with_sources(text: str, formulas: Sequence[FoundFormula]) -> str:
    return MARKED.sub(lambda mark: formulas[ord(mark[0]) - ord(FIRST_MARK)].source, text)


def _select(block: QTextBlock, start: int, length: int) -> QTextCursor:
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + start)
    cursor.setPosition(block.position() + start + length, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _write_source(cursor: QTextCursor, formulas: Sequence[FoundFormula], prose: QTextCharFormat) -> None:
    number = ord(cursor.selectedText()) - ord(FIRST_MARK)
    (latex, display), source = formulas[number]
    form = cursor.charFormat() if cursor.charFormat().propertyCount() else QTextCharFormat(prose)
    is_plain = form.isAnchor() or form.fontFixedPitch()
    if not is_plain:
        for key, value in ((NUMBER, number), (LATEX, latex), (DISPLAY, display), (SOURCE, source)):
            form.setProperty(key, value)
    cursor.insertText(source.replace("\n", _LINE_BREAK), form)
    if display and not is_plain and cursor.currentTable() is None:
        _isolate(cursor, _units(source))


def _isolate(cursor: QTextCursor, length: int) -> None:
    """Move the display formula before the cursor to a line of its own, with its punctuation."""
    block, start = cursor.block(), cursor.positionInBlock() - length
    rest = between(block.text(), cursor.positionInBlock(), block.length())
    before = between(block.text(), 0, start)
    if rest[:1] in _PUNCTUATION:
        rest = rest[1:]
    spaces = len(rest) - len(rest.lstrip())
    if rest.strip():
        _break_line(cursor, block.position() + block.length() - 1 - _units(rest), spaces)
    spaces = len(before) - len(before.rstrip())
    if before.strip():
        _break_line(cursor, block.position() + start - spaces, spaces)


def _break_line(cursor: QTextCursor, position: int, spaces: int) -> None:
    """Replace the spaces at the position by a line break, or outside of lists and quotes by a new paragraph."""
    cursor.setPosition(position)
    cursor.setPosition(position + spaces, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    if _is_paragraph(cursor):
        cursor.insertBlock()
    else:
        cursor.insertText(_LINE_BREAK, QTextCharFormat())


def _is_paragraph(cursor: QTextCursor) -> bool:
    in_part = cursor.currentList() is not None or cursor.currentTable() is not None
    return not in_part and not cursor.blockFormat().hasProperty(QTextFormat.Property.BlockQuoteLevel)


def _draw(cursor: QTextCursor, picture: FormulaPicture) -> None:
    """Replace the selected source of a formula by the character that is drawn."""
    form = cursor.charFormat()
    display = formula_of(form).display
    deep = display or picture.descent > ROOM_BELOW_EM
    form.setObjectType(OBJECT_TYPE)
    form.setVerticalAlignment(_MIDDLE if deep else QTextCharFormat.VerticalAlignment.AlignNormal)
    cursor.insertText(OBJECT, form)
    if display and _is_paragraph(cursor) and cursor.block().text().rstrip(_PUNCTUATION) == OBJECT:
        centered = QTextBlockFormat()
        centered.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        centered.setLineHeight(100, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(centered)


def _em(form: QTextFormat, picture: FormulaPicture, room: float) -> float:
    """Return the size of the formula's font in pixels."""
    return min(SIZE * form.intProperty(QTextFormat.Property.FontPixelSize), room / picture.width)


def _room(document: QTextDocument, position: int) -> float:
    """Return the width of a line at this position. A text cursor can't be moved here: Qt would begin a layout."""
    page, block = document.rootFrame().frameFormat(), document.findBlock(position)
    table: QTextTable | None = QTextCursor(block).currentTable()
    items: QTextList | None = block.textList()
    form = block.blockFormat()
    levels = form.indent() + (items.format().indent() if items is not None else 0)
    width = document.textWidth() - page.leftMargin() - page.rightMargin()
    room = width - form.leftMargin() - levels * document.indentWidth()
    return max(1.0, room / table.columns() if table is not None else room)


def _box(form: QTextFormat, picture: FormulaPicture, em: float) -> tuple[float, float]:
    """Return the ascent and the height of the box for which Qt keeps room.

    Qt puts the box on the baseline, so the formula's depth is below the box. A deep formula has a box of twice its
    larger half instead, which Qt centers at a quarter of the x-height.
    """
    ascent, descent = picture.ascent * em, picture.descent * em
    char = form.toCharFormat()
    if char.verticalAlignment() != _MIDDLE:
        return ascent, ascent
    axis = QFontMetricsF(char.font()).xHeight() / 4
    half = max(ascent - axis, descent + axis)
    return half + axis, 2 * half


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _formulas_in(block: QTextBlock) -> list[QTextCursor]:
    """Return selections of the formulas that are text."""
    parts = [each for each in block.textFormats() if each.format.hasProperty(LATEX)]
    return [_select(block, each.start, each.length) for each in parts if each.format.objectType() != OBJECT_TYPE]
