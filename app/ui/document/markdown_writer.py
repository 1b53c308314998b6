"""Writes Markdown at the end of a page while it is still coming; only the open block is ever drawn again."""

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
from app.ui.document.plain_writer import PlainWriter, seen, unseen

LONGEST_PARSED = 8_000
"""Characters of a block beyond which it stays text: a table or paragraph that long is laid out too slowly."""
_DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
# Qt gives the first block of an inserted fragment the format of where it lands: so something else goes first.
_SACRIFICE = "x\n\n"
_MARKUP = re.compile(r"[`*_~\[\]<>#|\\&\n:@+=-]|www|^\s*\d|^ {4}|\s$|  |[\ufeff\ufffe]")
# What can't make anything else of the line that it is added to, nor of what stands before it.
_HARMLESS = re.compile(r"(?!.*www)(?: ?[^\W_]|[,;.:?!'\"’…()–—-]+(?= ?[^\W_]|$)| (?=[\"'(]))+")
_TWO_WORDS = re.compile(r"\w\W+\w")
_MAY_GROW = re.compile(r"[:/@_&]|www|[^\w,;.:?!'\"’…()–—-]$")
_CODE_OR_IMAGE = re.compile(r"((?<![`\\])(`+)(?!`)[^`\n|]+(?<!`)\2(?!`))|!+(?=\[)")
"""Code on one line between marks of the same length, which is code for every reader; or what makes a link an image."""


class MarkdownWriter:
    """One answer that may go on growing at the document's end."""

    def __init__(self, cursor: QTextCursor, look: PageLook) -> None:
        self._look = look
        self._stream = MarkdownBlocks()
        self._scratch = QTextDocument()
        self._scratch.setUndoRedoEnabled(False)
        self._code: CodeWriter | None = None
        self._long = PlainWriter(cursor, look.paragraph_block, look.prose)
        self._prose = ""
        """The open block as long as it stands on the page just as it was written."""
        self._marked = ""
        """The open block as it was drawn last, with what has been put behind it since."""
        self._between = False
        """The last block is complete: what comes next begins a new one."""
        self._tail = QTextCursor(cursor)
        self._tail.setKeepPositionOnInsert(True)
        cursor.setBlockFormat(look.paragraph_block)

    def write(self, cursor: QTextCursor, text: str) -> None:
        """Append; the cursor stands at the document's end."""
        for change in self._stream.feed(text):
            self._apply(cursor, change)

    def finish(self, cursor: QTextCursor) -> None:
        """Show what was held back because it might have become something else."""
        for change in self._stream.finish():
            self._apply(cursor, change)

    def _apply(self, cursor: QTextCursor, change: Change) -> None:
        match change:
            case Tail(source):
                self._show_tail(cursor, source)
            case Long(source):
                self._show_long(cursor, source)
            case More(text):
                self._long.write(cursor, text)
            case Closed(source):
                self._close(cursor, source)
            case CodeOpened(language):
                self._begin(cursor)
                self._erase(cursor)
                self._code = CodeWriter(cursor, self._look, language)
            case Code(text) if self._code is not None:
                self._code.write(cursor, text)
            case CodeClosed() if self._code is not None:
                self._code.finish(cursor)
                self._end()

    def _show_tail(self, cursor: QTextCursor, source: str) -> None:
        self._begin(cursor)
        if _MARKUP.search(source):
            if not self._grows(cursor, source):
                self._draw(cursor, source)
            self._prose, self._marked = "", source
        elif self._prose and source.startswith(self._prose):
            cursor.insertText(source[len(self._prose) :], self._look.prose)
            self._prose = source
        else:
            self._erase(cursor)
            cursor.insertText(source, self._look.prose)
            self._prose, self._marked = source, ""

    def _grows(self, cursor: QTextCursor, source: str) -> bool:
        """Put only what is new behind what was drawn, where it can't change that. In the end all is drawn once more."""
        drawn, new, look = self._marked, source[len(self._marked) :], cursor.charFormat()
        if not drawn or not source.startswith(drawn) or not _HARMLESS.fullmatch(new) or not _is_settled(drawn):
            return False
        if look.propertyCount() and look != self._look.prose:
            return False
        cursor.insertText(new, look)
        return True

    def _close(self, cursor: QTextCursor, source: str) -> None:
        self._begin(cursor)
        if source.rstrip("\n") != self._prose:
            if len(source) <= LONGEST_PARSED:
                self._draw(cursor, source)
            else:
                self._show_long(cursor, source.rstrip("\n"))
        self._end()

    def _show_long(self, cursor: QTextCursor, source: str) -> None:
        self._begin(cursor)
        self._erase(cursor)
        self._prose = self._marked = ""
        self._long = PlainWriter(cursor, self._look.paragraph_block, self._look.prose)
        self._long.write(cursor, source)

    def _begin(self, cursor: QTextCursor) -> None:
        """Make sure of a block of our own at the page's end."""
        if not self._between:
            return
        self._between = False
        if _reusable(cursor.block()):
            seen(cursor, self._look.paragraph_block)
        else:
            cursor.insertBlock(self._look.paragraph_block, QTextCharFormat())
        self._tail.setPosition(cursor.position())

    def _end(self) -> None:
        self._between = True
        self._prose = self._marked = ""

    def _erase(self, cursor: QTextCursor) -> None:
        cursor.setPosition(self._tail.position())
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        if cursor.hasSelection():
            cursor.removeSelectedText()
        if cursor.currentList() is not None:
            cursor.currentList().remove(cursor.block())
        seen(cursor, self._look.paragraph_block)
        cursor.setCharFormat(QTextCharFormat())

    def _draw(self, cursor: QTextCursor, source: str) -> None:
        self._erase(cursor)
        self._scratch.setMarkdown(_SACRIFICE + _without_images(source), _DIALECT)
        dress(self._scratch.begin().next(), self._look)
        cursor.insertFragment(QTextDocumentFragment(self._scratch))
        sacrificed = QTextCursor(cursor.document())
        sacrificed.setPosition(self._tail.position())
        begins_with_table = table_at(QTextCursor(self._scratch.begin().next())) is not None
        move = QTextCursor.MoveOperation.NextCharacter if begins_with_table else QTextCursor.MoveOperation.NextBlock
        sacrificed.movePosition(move, QTextCursor.MoveMode.KeepAnchor)
        sacrificed.removeSelectedText()
        if begins_with_table:
            unseen(sacrificed, self._look.unseen_block)
        cursor.movePosition(QTextCursor.MoveOperation.End)


def _reusable(block: QTextBlock) -> bool:
    """Qt keeps an empty block behind a table; a horizontal rule is an empty block too, but means something."""
    ruler = QTextFormat.Property.BlockTrailingHorizontalRulerWidth
    return block.length() == 1 and not block.blockFormat().hasProperty(ruler) and block.textList() is None


def _is_settled(drawn: str) -> bool:
    """Whether letters behind it change nothing of it: no address, no cell, no first word of a heading or a list."""
    line = drawn.rpartition("\n")[2]
    settled = "|" not in drawn and "[" not in drawn and not drawn[-1].isspace() and _TWO_WORDS.search(line)
    return bool(settled) and not _MAY_GROW.search(line.split()[-1])


def _without_images(source: str) -> str:
    """Images become links: nothing is ever fetched for a text."""
    if "![" not in source:
        return source
    return _CODE_OR_IMAGE.sub(lambda found: found[1] or "", source)
