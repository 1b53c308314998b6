"""Streams Markdown to the end of the page; only the open block is rendered again."""

import re

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextDocumentFragment, QTextFormat

from app.ui.document.code_writer import CodeWriter
from app.ui.document.markdown_blocks import (
    Change,
    Closed,
    Code,
    CodeClosed,
    CodeOpened,
    Long,
    MarkdownBlocks,
    More,
    Tail,
)
from app.ui.document.markdown_look import dress, table_at
from app.ui.document.page_look import PageLook
from app.ui.document.plain_writer import PlainWriter, hide_block, show_block

LONGEST_PARSED = 8_000
"""Maximum length in characters of a rendered block. A longer one stays plain text, since its layout would be too slow.
"""
_DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
# Qt formats the first block of an inserted fragment like the block at the cursor, so a dummy block comes first.
_DUMMY_BLOCK = "x\n\n"
_MARKUP = re.compile(r"[`*_~\[\]<>#|\\&\n:@+=-]|www|^\s*\d|^ {4}|\s$|  |[\ufeff\ufffe]")
# Appended text that can't change the rendering of the text before it.
_HARMLESS = re.compile(r"(?!.*www)(?: ?[^\W_]|[,;.:?!'\"’…()–—-]+(?= ?[^\W_]|$)| (?=[\"'(]))+")
_TWO_WORDS = re.compile(r"\w\W+\w")
_MAY_GROW = re.compile(r"[:/@_&]|www|[^\w,;.:?!'\"’…()–—-]$")
_CODE_OR_IMAGE = re.compile(r"((?<![`\\])(`+)(?!`)[^`\n|]+(?<!`)\2(?!`))|!+(?=\[)")
"""Matches inline code, which every parser reads as code, and the exclamation marks of images."""


class MarkdownWriter:
    """A writer for one streamed answer at the end of the document."""

    def __init__(self, cursor: QTextCursor, look: PageLook) -> None:
        self._look = look
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
        """Process the end of the text, and display the text that was held back."""
        for change in self._stream.finish():
            self._apply(cursor, change)

    def _apply(self, cursor: QTextCursor, change: Change) -> None:
        match change:
            case Tail(source):
                self._show_tail(cursor, source)
            case Long(source):
                self._show_long(cursor, source)
            case More(text):
                self._long_writer.write(cursor, text)
            case Closed(source):
                self._close(cursor, source)
            case CodeOpened(language):
                self._begin_block(cursor)
                self._erase(cursor)
                self._code = CodeWriter(cursor, self._look, language)
            case Code(text) if self._code is not None:
                self._code.write(cursor, text)
            case CodeClosed() if self._code is not None:
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
        """Append only the new text if it can't change the rendering of the previous text. Return whether it was
        appended.
        """
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
        self._scratch.setMarkdown(_DUMMY_BLOCK + _without_images(source), _DIALECT)
        dress(self._scratch.begin().next(), self._look)
        cursor.insertFragment(QTextDocumentFragment(self._scratch))
        dummy = QTextCursor(cursor.document())
        dummy.setPosition(self._tail.position())
        begins_with_table = table_at(QTextCursor(self._scratch.begin().next())) is not None
        move = QTextCursor.MoveOperation.NextCharacter if begins_with_table else QTextCursor.MoveOperation.NextBlock
        dummy.movePosition(move, QTextCursor.MoveMode.KeepAnchor)
        dummy.removeSelectedText()
        if begins_with_table:
            hide_block(dummy, self._look.unseen_block)
        cursor.movePosition(QTextCursor.MoveOperation.End)


def _reusable(block: QTextBlock) -> bool:
    """Return whether a block is empty, such as the one that Qt keeps after a table. A horizontal rule isn't empty."""
    ruler = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
    return block.length() == 1 and not block.blockFormat().hasProperty(ruler) and block.textList() is None


def _is_settled(drawn: str) -> bool:
    """Return whether appended letters can't change the rendering; False in addresses, table cells, headings and list
    items.
    """
    line = drawn.rpartition("\n")[2]
    settled = "|" not in drawn and "[" not in drawn and not drawn[-1].isspace() and _TWO_WORDS.search(line)
    return bool(settled) and not _MAY_GROW.search(line.split()[-1])


def _without_images(source: str) -> str:
    """Turn images into links, so that no image is loaded."""
    if "![" not in source:
        return source
    return _CODE_OR_IMAGE.sub(lambda found: found[1] or "", source)
