"""Writes turns to the end of a text document with its own cursor, and copies text from it."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextFrame

from app.engine.types import Channel, Role, VisibleText
from app.i18n import tr
from app.ui.document.formulas import Formulas, text_within
from app.ui.document.latex import FormulaPicture, LatexFormula
from app.ui.document.markdown_writer import MarkdownWriter
from app.ui.document.page_look import PageLook
from app.ui.document.plain_writer import (
    CODE_HEAD,
    HEADER,
    SOFT,
    UNSEEN,
    PlainWriter,
    PositionMark,
    hide_block,
    show_block,
)
from app.ui.document.turns import AnswerView, PageTurn, PageWriter, Passage
from app.ui.look import MARGIN_PX, MEASURE_PX, Color, Size

MENU = " ⋯"
"""Link after the role of a turn that opens its menu. Not part of copied text."""
SWITCHER = " | ‹ |{}/{}| › "
"""The branch switcher between role and menu. Bars separate its parts. Not part of copied text."""
_BUTTONS = re.compile(r"(  ‹ \d+/\d+ › )?( ⋯)?$")
FOLD_SCHEME = "fold"
MENU_SCHEME = "turn"
BRANCH_SCHEME = "branch"
LONGEST_SHOWN = 200_000
"""Characters of a user's text that are displayed; the prompt and copies contain all of it."""
LONGEST_MEASURED = 5_000
"""Longest user text whose width is measured for its box. The box of a longer text has the full width."""
MOST_LINES_SHOWN = 3_000
"""Lines of a user's text that are displayed, since the layout time grows with the number of lines."""


class Page:
    """Writes turns to the document. Each call is one edit block and leaves existing text unchanged."""

    def __init__(self, document: QTextDocument, look: PageLook, view: AnswerView) -> None:
        self._document = document
        self._look = look
        self._view = view
        self.formulas = Formulas(document)
        self._width = 0
        """Width of a line of prose, in pixels."""

    def fit(self, width: int, full_width: int, turns: list[PageTurn]) -> None:
        """Limit the lines to a readable length and center them. `full_width`: `width` plus that of the scroll bar."""
        measure = min(self._look.scaled(MEASURE_PX), width - 2 * MARGIN_PX)
        left = max(MARGIN_PX, min((full_width - measure) // 2, width - measure - MARGIN_PX))
        if measure != self._width:
            self._width = measure
            self._fit_boxes(turns)
        form = self._document.rootFrame().frameFormat()
        if form.leftMargin() != left or form.rightMargin() != width - left - measure or form.topMargin() != MARGIN_PX:
            form.setLeftMargin(left)
            form.setRightMargin(width - left - measure)
            form.setTopMargin(MARGIN_PX)
            form.setBottomMargin(MARGIN_PX)
            self._document.rootFrame().setFrameFormat(form)

    def _fit_boxes(self, turns: list[PageTurn]) -> None:
        boxes = [(turn, box) for turn in turns if (box := self.box_of(turn)) is not None]
        if boxes:
            with self._editing():
                for turn, box in boxes:
                    form = box.frameFormat()
                    form.setLeftMargin(self._box_margin(turn))
                    box.setFrameFormat(form)

    def box_of(self, turn: PageTurn) -> QTextFrame | None:
        """Return the frame around a user, system or tool turn. Not cached, since Qt deletes it with its text."""
        if turn.raw or turn.role is Role.ASSISTANT or turn.start is None:
            return None
        cursor = QTextCursor(self._document)
        cursor.setPosition(min(turn.start.position + 1, self._document.characterCount() - 1))
        box = cursor.currentFrame()
        return box if box != self._document.rootFrame() else None

    def _box_margin(self, turn: PageTurn) -> float:
        """Return the left margin of a right-aligned box that is as wide as its text."""
        text = turn.text
        if turn.role is not Role.USER or len(text) > LONGEST_MEASURED:
            return 0.0
        wanted = self._look.unwrapped_width(text, self._view is AnswerView.MONO) + 2 * MARGIN_PX + 1
        return max(0.0, self._width - wanted)

    def begin(self, turn: PageTurn) -> None:
        with self._editing() as cursor:
            self._write_header(cursor, turn)

    def write(self, turn: PageTurn, shown: tuple[VisibleText, ...]) -> None:
        with self._editing() as cursor:
            for piece in shown:
                before = turn.passages[-1] if turn.passages else None
                passage = turn.take(piece)
                if passage is not before:
                    self._finish(cursor, before)
                    self._open(cursor, turn, passage)
                if passage.writer is not None:
                    passage.writer.write(cursor, piece.text)

    def end(self, turn: PageTurn) -> None:
        with self._editing() as cursor:
            self._end(cursor, turn)

    def add(self, turn: PageTurn) -> None:
        """Write a turn, which may be incomplete."""
        with self._editing() as cursor:
            self._add(cursor, turn)

    def reopen(self, turn: PageTurn) -> None:
        """Continue the last turn: remove its finish line and reopen its last passage."""
        turn.done, turn.ending, turn.tail = False, "", None
        if turn.passages:
            turn.passages[-1].done = False
        with self._editing() as cursor:
            self._cut(cursor, turn)
            self._add(cursor, turn)

    def rewrite(self, turns: list[PageTurn], look: PageLook, view: AnswerView) -> None:
        """Clear the page and write all turns in another look or view."""
        self._look, self._view = look, view
        self._document.clear()
        with self._editing() as cursor:
            for turn in turns:
                self._add(cursor, turn)

    def show_formulas(self, turns: list[PageTurn], pictures: Mapping[LatexFormula, FormulaPicture | None]) -> None:
        """Draw the formulas that have got pictures."""
        with self._editing():
            for position, by in self.formulas.show(pictures):
                for turn in turns:
                    turn.shift(position, by)

    def cut_from(self, turn: PageTurn) -> None:
        with self._editing() as cursor:
            self._cut(cursor, turn)

    def ending_place(self, turn: PageTurn, height: int = 0) -> QRectF:
        """Return the rectangle of the finish line on the page, after raising it to `height` if it is lower."""
        block = self._document.findBlock(turn.tail.position) if turn.tail is not None else QTextBlock()
        if not block.isValid():
            return QRectF()
        around = self._look.ending_block
        place = self._document.documentLayout().blockBoundingRect(block)
        # Qt adds no space below the last line of a block, so the height of its lines is set.
        lines = max(1, block.layout().lineCount())
        least = (height - around.topMargin() - around.bottomMargin()) / lines
        form, kind = block.blockFormat(), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
        known = form.lineHeight() if form.lineHeightType() == kind else place.height() / lines
        if height and least != known and (least > known or form.lineHeightType() == kind):
            form.setLineHeight(least, kind)
            QTextCursor(block).setBlockFormat(form)
        place.setHeight(max(place.height(), lines * least))
        return place.adjusted(0, -around.topMargin(), 0, around.bottomMargin())

    def update_fold(self, passage: Passage) -> None:
        if passage.fold is None:
            return
        with self._editing():
            line = QTextCursor(self._document.findBlock(passage.fold.position))
            line.setPosition(line.block().position() + line.block().length() - 1, QTextCursor.MoveMode.KeepAnchor)
            line.insertText(_fold_text(passage), line.charFormat())

    @contextmanager
    def _editing(self) -> Iterator[QTextCursor]:
        cursor = QTextCursor(self._document)
        # Within an edit block Qt doesn't compute the cursor's x coordinate, for which it would lay out the line.
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        try:
            yield cursor
        finally:
            cursor.endEditBlock()

    def _cut(self, cursor: QTextCursor, turn: PageTurn) -> None:
        if turn.start is not None:
            cursor.setPosition(turn.start.position, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        if cursor.block().length() == 1:
            show_block(cursor, QTextBlockFormat())

    def _add(self, cursor: QTextCursor, turn: PageTurn) -> None:
        self._write_header(cursor, turn)
        for passage in turn.passages:
            self._open(cursor, turn, passage)
            if passage.writer is not None:
                passage.writer.write(cursor, _shortened(turn, passage.text))
            if passage.done:
                self._finish(cursor, passage)
        if turn.done:
            self._end(cursor, turn)

    def _write_header(self, cursor: QTextCursor, turn: PageTurn) -> None:
        boxed = not turn.raw and turn.role is not Role.ASSISTANT
        if boxed:
            self._begin_box(cursor, turn)
        elif not turn.raw:
            self._begin_answer(cursor, turn)
        elif turn.role is Role.ASSISTANT:
            turn.start = PositionMark(cursor)
        else:
            self._new_block(cursor, self._body_block(turn))
            turn.start = PositionMark(cursor)
        if not turn.raw:
            name = self._look.text(Color.MUTED, Size.NORMAL, bold=True)
            cursor.insertText(turn.role.words, name if _is_headed(turn) else self._look.hidden_header)
            if turn.branch.of > 1:
                self._write_switcher(cursor, turn)
            cursor.block().setUserState(HEADER)

    def _begin_answer(self, cursor: QTextCursor, turn: PageTurn) -> None:
        header = self._look.header_block if _is_headed(turn) else self._look.hidden_header_block
        self._new_block(cursor, self._look.divider_block if turn.writer else header)
        turn.start = PositionMark(cursor)
        if turn.writer:
            cursor.insertText(turn.writer, self._look.text(Color.MUTED, Size.NORMAL))
            self._new_block(cursor, header)

    def buttons_place(self, turn: PageTurn) -> QRectF:
        """Return the rectangle of the link to the turn's menu, in the last line of its ending."""
        block = self._document.findBlock(turn.tail.position) if turn.tail is not None else QTextBlock()
        layout = block.layout() if block.isValid() else None
        if layout is None or not layout.lineCount():
            return QRectF()
        line = layout.lineAt(layout.lineCount() - 1)
        end = min(len(turn.ending), line.textStart() + line.textLength())
        left, _ = cast("tuple[float, int]", line.cursorToX(end))
        corner = self._document.documentLayout().blockBoundingRect(block).topLeft()
        return QRectF(corner.x() + left, corner.y() + line.y(), line.naturalTextWidth() - left, line.height())

    def _offer_menu(self, cursor: QTextCursor, turn: PageTurn) -> None:
        cursor.insertText(MENU, self._look.link(f"{MENU_SCHEME}:{turn.index}", Size.NORMAL, Color.MUTED))

    def _write_switcher(self, cursor: QTextCursor, turn: PageTurn) -> None:
        """Write the branch switcher. An arrow without a branch in its direction isn't a link."""
        number, of = turn.branch
        plain = self._look.text(Color.MUTED, Size.NORMAL)
        before, after = (
            self._look.link(f"{BRANCH_SCHEME}:{turn.index}/{by}", Size.NORMAL) if 1 <= number + by <= of else plain
            for by in (-1, 1)
        )
        for text, look in zip(SWITCHER.format(number, of).split("|"), (plain, before, plain, after), strict=True):
            cursor.insertText(text, look)

    def _begin_box(self, cursor: QTextCursor, turn: PageTurn) -> None:
        turn.start = PositionMark(cursor)
        hide_block(cursor, self._look.unseen_block)
        form = self._look.box()
        form.setLeftMargin(self._box_margin(turn))
        cursor.insertFrame(form)
        headed = _is_headed(turn)
        cursor.setBlockFormat(self._look.boxed_header_block if headed else self._look.unseen_block)

    def _open(self, cursor: QTextCursor, turn: PageTurn, passage: Passage) -> None:
        """Begin a passage: set its position and its writer, and write the line of its fold."""
        passage.fold = None
        if passage.voice is Channel.REASONING:
            self._new_block(cursor, self._look.prose_block)
            passage.fold = PositionMark(cursor)
            address = f"{FOLD_SCHEME}:{turn.index}/{turn.passages.index(passage)}"
            cursor.insertText(_fold_text(passage), self._look.link(address))
        if not (turn.raw and passage is turn.passages[0]) and not passage.folded:
            self._new_block(cursor, self._body_block(turn), fresh=True)
        passage.start = PositionMark(cursor)
        passage.writer = None if passage.folded else self._writer(cursor, turn, passage)

    def _writer(self, cursor: QTextCursor, turn: PageTurn, passage: Passage) -> PageWriter:
        is_answer = turn.role is Role.ASSISTANT
        if is_answer and not turn.raw and passage.voice is Channel.NORMAL and self._view is AnswerView.MARKDOWN:
            return MarkdownWriter(cursor, self._look, self.formulas)
        mono = self._view is AnswerView.MONO or passage.voice is Channel.TOOL
        role = Color.TEXT
        if is_answer and self._view is AnswerView.TOKENS:
            return PlainWriter(cursor, self._look.token_block, self._look.text(role, mono=mono))
        if passage.voice is Channel.REASONING:
            role = Color.MUTED
        elif turn.raw and is_answer:
            role = Color.MODEL
        block = self._look.mono_block if mono else self._look.prose_block
        return PlainWriter(cursor, block, self._look.text(role, mono=mono))

    def _finish(self, cursor: QTextCursor, passage: Passage | None) -> None:
        if passage is not None:
            if passage.writer is not None:
                passage.writer.finish(cursor)
            if passage.fold is not None:
                self.update_fold(passage)
            if not isinstance(passage.writer, PlainWriter):
                passage.writer = None

    def _end(self, cursor: QTextCursor, turn: PageTurn) -> None:
        turn.done = True
        if turn.passages:
            turn.passages[-1].done = True
            self._finish(cursor, turn.passages[-1])
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if turn.ending:
            self._new_block(cursor, self._look.ending_block)
            turn.tail = PositionMark(cursor)
            cursor.insertText(turn.ending, self._look.ending)
            if not turn.raw:
                self._offer_menu(cursor, turn)
                cursor.block().setUserState(HEADER)
        hide_block(cursor, self._look.unseen_block)
        turn.settle()

    def _new_block(self, cursor: QTextCursor, block: QTextBlockFormat, *, fresh: bool = False) -> None:
        if cursor.block().length() > 1 or fresh:
            cursor.insertBlock(block, QTextCharFormat())
        else:
            show_block(cursor, block)

    def _body_block(self, turn: PageTurn) -> QTextBlockFormat:
        if self._view is AnswerView.TOKENS and (turn.raw or turn.role is Role.ASSISTANT):
            return self._look.token_block
        return self._look.mono_block if self._view is AnswerView.MONO else self._look.prose_block


def _is_headed(turn: PageTurn) -> bool:
    """Return whether the turn has a visible header. The position of a turn alone tells user and assistant apart."""
    return turn.branch.of > 1 or turn.role in (Role.SYSTEM, Role.TOOL)


def _fold_text(passage: Passage) -> str:
    arrow = "▾" if passage.unfolded else "▸"
    if not passage.tokens:
        words = tr("Thought") if passage.done else tr("Thinking…")
    elif passage.done:
        words = tr("Thought for %n tokens", "Thought for %n token", passage.tokens)
    else:
        words = tr("Thinking… %n tokens", "Thinking… %n token", passage.tokens)
    return f"{words} {arrow}"


def _shortened(turn: PageTurn, text: str) -> str:
    if turn.role is Role.ASSISTANT:
        return text
    shown = "\n".join(text[:LONGEST_SHOWN].split("\n", MOST_LINES_SHOWN)[:MOST_LINES_SHOWN])
    if shown == text:
        return text
    more = tr("… and {count} characters more, sent but not shown here").format(count=f"{len(text) - len(shown):,}")
    return f"{shown}\n{more}"


def selected_text(selection: QTextCursor, turns: list[PageTurn]) -> str:
    """Return the selection as text. Inside one passage of plain text, this is the exact source."""
    start, end = selection.selectionStart(), selection.selectionEnd()
    passage = _passage_around(start, end, turns)
    if passage is not None and isinstance(passage.writer, PlainWriter):
        return passage.writer.source(passage.text, start, end)
    return page_text(selection.document(), start, end)


def page_text(document: QTextDocument, start: int, end: int) -> str:
    """Return the page's text between two positions without soft breaks."""
    texts: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and (block.position() <= end):
        if block.userState() not in (UNSEEN, CODE_HEAD):
            if texts and block.userState() != SOFT:
                texts.append("\n")
            text = _text_within(block, start, end)
            texts.append(_BUTTONS.sub("", text) if block.userState() == HEADER else text)
        block = block.next()
    return "".join(texts)


def code_text(document: QTextDocument, address: str) -> str:
    """Return the code below the header that contains this link."""
    block = document.begin()
    while block.isValid() and not _has_link(block, address):
        block = block.next()
    start = end = block.position() + block.length()
    block = block.next()
    root = document.rootFrame()
    while block.isValid() and block.userState() != CODE_HEAD:
        if QTextCursor(block).currentFrame() != root:
            end = block.position() + block.length() - 1
        elif block.userState() != UNSEEN:
            break
        block = block.next()
    return page_text(document, start, end)


def _has_link(block: QTextBlock, address: str) -> bool:
    return block.userState() == CODE_HEAD and any(part.format.anchorHref() == address for part in block.textFormats())


def _text_within(block: QTextBlock, start: int, end: int) -> str:
    first = max(0, start - block.position())
    last = max(0, end - block.position())
    return text_within(block, first, last).replace("\u2028", "\n")


def _passage_around(start: int, end: int, turns: list[PageTurn]) -> Passage | None:
    """Return the passage of plain text that contains the range; None without one."""
    for turn in reversed(turns):
        if turn.start is None or turn.start.position > start:
            continue
        for passage in reversed(turn.passages):
            if passage.start is not None and passage.start.position <= start:
                return passage if isinstance(passage.writer, PlainWriter) and passage.writer.holds(end) else None
        return None
    return None
