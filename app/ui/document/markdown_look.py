"""Applies the formats of the page to the output of Qt's Markdown parser, in a document without a layout."""

from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from app.ui.document.links import can_be_opened
from app.ui.document.page_look import PageLook
from app.ui.look import GAP_PX, GRID_PX, Colour, Size

QUOTE_PX = 20
_HEADING_SIZES = {1: Size.LARGE}
_FENCE = QTextFormat.Property.BlockCodeFence
_QUOTE = QTextFormat.Property.BlockQuoteLevel
_RULER = QTextFormat.Property.BlockTrailingHorizontalRulerWidth


def dress(block: QTextBlock, look: PageLook) -> None:
    """Format this block and all following ones."""
    while block.isValid():
        _dress_block(block, look)
        block = block.next()


def table_at(cursor: QTextCursor) -> QTextTable | None:
    return cursor.currentTable()


def _dress_block(block: QTextBlock, look: PageLook) -> None:
    cursor = QTextCursor(block)
    table = table_at(cursor)
    if table is not None and cursor.position() == table.firstPosition():
        _dress_table(table, look)
    form = block.blockFormat()
    if form.hasProperty(_RULER):
        form.setBackground(look.brush(Colour.LINE))
        cursor.setBlockFormat(form)
        return
    level, fenced = form.headingLevel(), form.hasProperty(_FENCE)
    cursor.setBlockFormat(_block_format(form, look, in_table=table is not None))
    for part in block.textFormats():
        if part.format.propertyCount() or level or fenced:
            cursor.setPosition(block.position() + part.start)
            cursor.setPosition(block.position() + part.start + part.length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(_char_format(part.format, look, level, fenced))


def _block_format(form: QTextBlockFormat, look: PageLook, *, in_table: bool) -> QTextBlockFormat:
    fenced, in_list = form.hasProperty(_FENCE), form.objectIndex() >= 0
    lines = look.mono_block if fenced or in_table else look.prose_block
    form.setLineHeight(lines.lineHeight(), lines.lineHeightType())
    form.setTopMargin(GAP_PX if form.headingLevel() else 0)
    form.setBottomMargin(0 if fenced or in_table else GRID_PX // 2 if in_list else GAP_PX)
    if fenced:
        form.setBackground(look.code_background)
    if form.hasProperty(_QUOTE):
        form.setLeftMargin(form.property(_QUOTE) * QUOTE_PX)
    return form


def _char_format(form: QTextCharFormat, look: PageLook, level: int, fenced: bool) -> QTextCharFormat:
    if form.isAnchor() and can_be_opened(form.anchorHref()):
        dressed = look.link(form.anchorHref(), Size.PROSE)
    elif fenced or form.fontFixedPitch() or form.fontFamilies():
        dressed = QTextCharFormat(look.mono)
        if not fenced:
            dressed.setBackground(look.code_background)
    else:
        dressed = QTextCharFormat(look.prose)
    dressed.setFontItalic(form.fontItalic())
    dressed.setFontStrikeOut(form.fontStrikeOut())
    dressed.setFontWeight(form.fontWeight())
    if level:
        dressed.setProperty(QTextFormat.Property.FontPixelSize, look.scaled(_HEADING_SIZES.get(level, Size.PROSE)))
    return dressed


def _dress_table(table: QTextTable, look: PageLook) -> None:
    form = table.format()
    form.setBorder(1)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderCollapse(True)
    form.setBorderBrush(look.brush(Colour.LINE))
    form.setCellPadding(GRID_PX)
    form.setCellSpacing(0)
    form.setBottomMargin(GAP_PX)
    table.setFormat(form)
