"""Streams Markdown and its code blocks to the end of the page; only the open block is rendered again."""

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate, count

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from app.i18n import tr
from app.ui.document.code_colors import colors
from app.ui.document.formula_source import extract_formulas
from app.ui.document.formulas import Formulas, write_sources
from app.ui.document.markdown_blocks import BlockChange, ChangeKind, MarkdownBlocks
from app.ui.document.page_look import PageLook
from app.ui.document.plain_writer import CODE_HEAD, SOFT, PlainWriter, hide_block, show_block
from app.ui.look import GAP_PX, GRID_PX, Color, Size

OPENED_BY_CLICK = ("http", "https", "mailto")
CODE_SCHEME = "code"
LONGEST_LANGUAGE = 24
PART_LINES = 120
"""Lines of code in one frame; more continue in another frame. For each insertion Qt visits all lines of a frame."""
_NUMBERS = count(1)
QUOTE_PX = 20
_HEADING_SIZES = {1: Size.LARGE}
_FENCE = QTextFormat.Property.BlockCodeFence
_QUOTE = QTextFormat.Property.BlockQuoteLevel
_RULER = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
MOST_FORMULAS = 500
"""Maximum number of formulas in an answer; more stay text."""
LONGEST_PARSED = 8_000
"""Maximum length of a rendered block. A longer one stays plain text, since its layout would be slow."""
_DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
# Qt formats the first block of an inserted fragment like the block at the cursor, so a dummy block comes first.
_DUMMY_BLOCK = "x\n\n"
_MARKUP = re.compile(r"[`*_~\[\]<>#|\\&$\n:@+=-]|www|^\s*\d|^ {4}|\s$|  |[\ufeff\ufffe]")
# Appended text that can't change the rendering of the text before it.
_HARMLESS = re.compile(r"(?!.*www)(?: ?[^\W_]|[,;.:?!'\"’…()–—-]+(?= ?[^\W_]|$)| (?=[\"'(]))+")
_TWO_WORDS = re.compile(r"\w\W+\w")
_MAY_GROW = re.compile(r"[:/@_&]|www|[^\w,;.:?!'\"’…()–—-]$")
_CODE_OR_IMAGE = re.compile(r"((?<![`\\])(`+)(?!`)[^`\n|]+(?<!`)\2(?!`))|!+(?=\[)")
"""Matches inline code, which every parser reads as code, and the exclamation marks of images."""


def can_be_opened(address: str) -> bool:
    """Return whether the browser or mail program may open an address. Internal links of the page can't be opened."""
    return QUrl(address).scheme() in OPENED_BY_CLICK


def shown_address(url: QUrl) -> str:
    """Return the percent-encoded address, so that it contains no invisible, bidirectional or look-alike characters."""
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)


class CodeWriter:
    """A code block in a tinted frame. The methods expect a cursor at the end of the document."""

    def __init__(self, cursor: QTextCursor, look: PageLook, language: str) -> None:
        self._look = look
        self._language = language
        self._inside, self._text = self._open_frame(cursor, look.unseen_block, headed=True)
        self._lines = 0
        self._is_newline_pending = False
        """The newline of a complete line is inserted with the next line; otherwise an empty line would follow."""

    def write(self, cursor: QTextCursor, text: str) -> None:
        """Append a line or a part of one."""
        if self._is_newline_pending:
            self._begin_line(cursor)
        self._text.write(self._inside, text.removesuffix("\n"))
        if text.endswith("\n"):
            self._color(self._inside.block())
            self._is_newline_pending = True

    def finish(self, cursor: QTextCursor) -> None:
        frame = self._inside.currentFrame()
        form = frame.frameFormat()
        form.setBottomMargin(GAP_PX)
        frame.setFrameFormat(form)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        hide_block(cursor, self._look.unseen_block)

    def _open_frame(
        self, cursor: QTextCursor, before: QTextBlockFormat, *, headed: bool = False
    ) -> tuple[QTextCursor, PlainWriter]:
        hide_block(cursor, before)
        inside = cursor.insertFrame(self._look.code_frame()).firstCursorPosition()
        inside.setBlockFormat(self._look.mono_block)
        if headed:
            self._write_header(inside)
        return inside, PlainWriter(inside, self._look.mono_block, self._look.mono)

    def _write_header(self, cursor: QTextCursor) -> None:
        cursor.setBlockFormat(self._look.code_head_block)
        language = self._language.strip()[:LONGEST_LANGUAGE]
        cursor.insertText(f"{language}  " if language else "", self._look.text(Color.MUTED, Size.SMALL))
        cursor.insertText(tr("Copy"), self._look.link(f"{CODE_SCHEME}:{next(_NUMBERS)}", Size.SMALL))
        cursor.block().setUserState(CODE_HEAD)
        cursor.insertBlock(self._look.mono_block, self._look.mono)
        cursor.block().setUserState(-1)

    def _begin_line(self, cursor: QTextCursor) -> None:
        self._is_newline_pending = False
        self._lines += 1
        if self._lines < PART_LINES:
            self._text.write(self._inside, "\n")
        else:
            cursor.movePosition(QTextCursor.MoveOperation.End)
            self._inside, self._text = self._open_frame(cursor, self._look.code_seam_block)
            self._lines = 0

    def _color(self, last: QTextBlock) -> None:
        """Color a complete line. `last` is its last part, since soft breaks may have split it."""
        parts = [last]
        while parts[0].userState() == SOFT:
            parts.insert(0, parts[0].previous())
        cuts = list(accumulate(len(part.text()) for part in parts[:-1]))
        cursor, start = QTextCursor(last), parts[0].position()
        for span in colors("".join(part.text() for part in parts), self._language):
            cursor.setPosition(start + span.start + bisect_right(cuts, span.start))
            cursor.setPosition(start + span.end + bisect_left(cuts, span.end), QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(self._look.text(span.color, mono=True))


def format_blocks(block: QTextBlock, look: PageLook) -> None:
    while block.isValid():
        _dress_block(block, look)
        block = block.next()


def _dress_block(block: QTextBlock, look: PageLook) -> None:
    cursor = QTextCursor(block)
    table: QTextTable | None = cursor.currentTable()
    if table is not None and cursor.position() == table.firstPosition():
        _dress_table(table, look)
    form = block.blockFormat()
    if form.hasProperty(_RULER):
        form.setBackground(look.brush(Color.LINE))
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
    form.setBorderBrush(look.brush(Color.LINE))
    form.setCellPadding(GRID_PX)
    form.setCellSpacing(0)
    form.setBottomMargin(GAP_PX)
    table.setFormat(form)


class MarkdownWriter:
    """A writer for one streamed answer at the end of the document."""

    def __init__(self, cursor: QTextCursor, look: PageLook, formulas: Formulas) -> None:
        self._look = look
        self._formulas = formulas
        self._formula_count = 0
        """The number of formulas in completed blocks."""
        self._open_formula_count = 0
        self._stream = MarkdownBlocks()
        self._scratch = QTextDocument()
        self._scratch.setUndoRedoEnabled(False)
        self._code: CodeWriter | None = None
        self._long_writer = PlainWriter(cursor, look.paragraph_block, look.prose)
        self._plain_source = ""
        """The open block while it is displayed as plain text; otherwise empty."""
        self._rendered_source = ""
        """The source of the open block when it was last rendered, with the text appended since."""
        self._is_block_complete = False
        """The last block is complete, so the next text begins a new one."""
        self._tail = QTextCursor(cursor)
        self._tail.setKeepPositionOnInsert(True)
        cursor.setBlockFormat(look.paragraph_block)

    def write(self, cursor: QTextCursor, text: str) -> None:
        """Append text. The cursor must be at the end of the document."""
        for change in self._stream.feed(text):
            self._apply(cursor, change)

    def finish(self, cursor: QTextCursor) -> None:
        for change in self._stream.finish():
            self._apply(cursor, change)

    def _apply(self, cursor: QTextCursor, change: BlockChange) -> None:
        match change:
            case ChangeKind.TAIL, source:
                self._show_tail(cursor, source)
            case ChangeKind.LONG, source:
                self._show_long(cursor, source)
            case ChangeKind.MORE, text:
                self._long_writer.write(cursor, text)
            case ChangeKind.CLOSED, source:
                self._close(cursor, source)
            case ChangeKind.CODE_OPENED, language:
                self._begin_block(cursor)
                self._erase(cursor)
                self._code = CodeWriter(cursor, self._look, language)
            case ChangeKind.CODE, text if self._code is not None:
                self._code.write(cursor, text)
            case ChangeKind.CODE_CLOSED, _ if self._code is not None:
                self._code.finish(cursor)
                self._end_block()

    def _show_tail(self, cursor: QTextCursor, source: str) -> None:
        self._begin_block(cursor)
        if _MARKUP.search(source):
            if not self._append_text(cursor, source):
                self._draw(cursor, source)
            self._plain_source, self._rendered_source = "", source
        elif self._plain_source and source.startswith(self._plain_source):
            cursor.insertText(source[len(self._plain_source) :], self._look.prose)
            self._plain_source = source
        else:
            self._erase(cursor)
            cursor.insertText(source, self._look.prose)
            self._plain_source, self._rendered_source = source, ""

    def _append_text(self, cursor: QTextCursor, source: str) -> bool:
        """Append only the new text if the rendering of the rest stays. Return whether it was appended."""
        drawn, new, look = self._rendered_source, source[len(self._rendered_source) :], cursor.charFormat()
        if not drawn or not source.startswith(drawn) or not _HARMLESS.fullmatch(new) or not _is_settled(drawn):
            return False
        if look.propertyCount() and look != self._look.prose:
            return False
        cursor.insertText(new, look)
        return True

    def _close(self, cursor: QTextCursor, source: str) -> None:
        self._begin_block(cursor)
        if source.rstrip("\n") != self._plain_source:
            if len(source) <= LONGEST_PARSED:
                self._draw(cursor, source)
            else:
                self._show_long(cursor, source.rstrip("\n"))
        self._end_block()

    def _show_long(self, cursor: QTextCursor, source: str) -> None:
        self._begin_block(cursor)
        self._erase(cursor)
        self._plain_source = self._rendered_source = ""
        self._long_writer = PlainWriter(cursor, self._look.paragraph_block, self._look.prose)
        self._long_writer.write(cursor, source)

    def _begin_block(self, cursor: QTextCursor) -> None:
        """Begin a new block at the end of the page if the last one is complete."""
        if not self._is_block_complete:
            return
        self._is_block_complete = False
        if _reusable(cursor.block()):
            show_block(cursor, self._look.paragraph_block)
        else:
            cursor.insertBlock(self._look.paragraph_block, QTextCharFormat())
        self._tail.setPosition(cursor.position())

    def _end_block(self) -> None:
        self._is_block_complete = True
        self._formula_count += self._open_formula_count
        self._open_formula_count = 0
        self._plain_source = self._rendered_source = ""

    def _erase(self, cursor: QTextCursor) -> None:
        cursor.setPosition(self._tail.position())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        if cursor.hasSelection():
            cursor.removeSelectedText()
        if cursor.currentList() is not None:
            cursor.currentList().remove(cursor.block())
        show_block(cursor, self._look.paragraph_block)
        cursor.setCharFormat(QTextCharFormat())

    def _draw(self, cursor: QTextCursor, source: str) -> None:
        self._erase(cursor)
        marked, formulas = extract_formulas(source, MOST_FORMULAS - self._formula_count)
        self._open_formula_count = len(formulas)
        self._scratch.setMarkdown(_DUMMY_BLOCK + _without_images(marked), _DIALECT)
        format_blocks(self._scratch.begin().next(), self._look)
        if formulas:
            write_sources(self._scratch.begin().next(), formulas, self._look.prose)
        cursor.insertFragment(QTextDocumentFragment(self._scratch))
        dummy = QTextCursor(cursor.document())
        dummy.setPosition(self._tail.position())
        begins_with_table = QTextCursor(self._scratch.begin().next()).currentTable() is not None
        move = QTextCursor.MoveOperation.NextCharacter if begins_with_table else QTextCursor.MoveOperation.NextBlock
        dummy.movePosition(move, QTextCursor.MoveMode.KeepAnchor)
        dummy.removeSelectedText()
        if begins_with_table:
            hide_block(dummy, self._look.unseen_block)
        if formulas:
            self._formulas.add(cursor.document().findBlock(self._tail.position()))
        cursor.movePosition(QTextCursor.MoveOperation.End)


def _reusable(block: QTextBlock) -> bool:
    """Return whether a block is empty, such as the one that Qt keeps after a table. A horizontal rule isn't empty."""
    ruler = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
    return block.length() == 1 and not block.blockFormat().hasProperty(ruler) and block.textList() is None


def _is_settled(drawn: str) -> bool:
    """Return whether appended letters can't change the rendering. They can in addresses, tables and headings."""
    line = drawn.rpartition("\n")[2]
    settled = "|" not in drawn and "[" not in drawn and not drawn[-1].isspace() and _TWO_WORDS.search(line)
    return bool(settled) and not _MAY_GROW.search(line.split()[-1])


def _without_images(source: str) -> str:
    """Turn images into links, so that no image is loaded."""
    if "![" not in source:
        return source
    return _CODE_OR_IMAGE.sub(lambda found: found[1] or "", source)
