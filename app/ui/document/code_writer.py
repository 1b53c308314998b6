"""Streams a code block to the end of the page; each line is highlighted when it is complete."""

from itertools import count

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor

from app.i18n import tr
from app.ui.document.code_colours import colours
from app.ui.document.page_look import PageLook
from app.ui.document.plain_writer import CODE_HEAD, PlainWriter, hide_block
from app.ui.look import GAP_PX, Colour, Size

CODE_SCHEME = "code"
LONGEST_LANGUAGE = 24
PART_LINES = 120
"""Lines of code in one frame; more continue in another frame. For each insertion Qt visits all lines of a frame."""
_NUMBERS = count(1)


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
            self._colour(self._inside.block())
            self._is_newline_pending = True

    def finish(self, cursor: QTextCursor) -> None:
        """Complete the code block."""
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
        """Insert the header of a code block: its language, and a link that copies the code."""
        cursor.setBlockFormat(self._look.code_head_block)
        language = self._language.strip()[:LONGEST_LANGUAGE]
        cursor.insertText(f"{language}  " if language else "", self._look.text(Colour.MUTED, Size.SMALL))
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

    def _colour(self, block: QTextBlock) -> None:
        cursor = QTextCursor(block)
        for span in colours(block.text(), self._language):
            cursor.setPosition(block.position() + span.start)
            cursor.setPosition(block.position() + span.end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(self._look.text(span.colour, mono=True))
