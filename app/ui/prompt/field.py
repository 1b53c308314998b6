"""The text field of the prompt: a few lines of chat, or a raw page. It stays fast with huge pastes."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

from app.i18n import tr
from app.ui.document.page_look import PROSE_LINE_PX
from app.ui.document.soft_breaks import SoftBreaks
from app.ui.look import GAP_PX, MEASURE_PX, Size, Theme
from app.ui.prompt.answer_writer import AnswerWriter, ModelTint, by_model, insert, join_soft_breaks
from app.ui.widgets import named
from app.ui.widgets.files import paths_of
from app.ui.widgets.plain_text import as_mime

MAX_LINES = 8
ANY_HEIGHT_PX = 16_777_215
SLACK_PX = 8
"""Distance from the end that still counts as the end."""


class PromptField(QPlainTextEdit):
    """The field with two texts and undo histories: the chat prompt, and the raw page that the model continues."""

    submitted = Signal()
    focused = Signal(bool)
    files_offered = Signal(object)
    """Dropped or pasted files, as tuple[Path, ...]."""
    picture_offered = Signal()
    """A picture without a file was pasted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "prompt", tr("Prompt"))
        self._theme = theme
        self.setFont(theme.font(Size.PROSE))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.enter_sends = True
        self._composing = False
        self._has_soft_breaks = False
        self._cached_text: str | None = None
        """Result of `text` until the next edit."""
        self._original = ""
        """Text of the page when it was shown, or after the last answer."""
        self._paged = False
        self._wide = 0
        """Width at the last count of the lines."""
        self._button_space = 0
        """Space at the right of a page for the buttons."""
        self._hints = ("", "")
        self._answer: AnswerWriter | None = None
        # Qt deletes the default document of the editor when another one is set.
        self._line, self._page = self._new_document(), self._new_document()
        self._set_lines = PageLayout(self._page, theme.scaled(PROSE_LINE_PX))
        self._page.setDocumentLayout(self._set_lines)
        self.setDocument(self._line)
        self._tint = ModelTint(self._page, theme)
        self.textChanged.connect(self._fit)
        self._line.documentLayout().documentSizeChanged.connect(self._fit)
        theme.resized.connect(self._resize)
        self._fit()

    def set_paged(self, paged: bool) -> None:
        if paged != self._paged:
            self._paged = paged
            self._cached_text = None
            self.setDocument(self._page if paged else self._line)
            self._fit()
            self._limit_line_length()

    def leave(self, room: int) -> None:
        """Keep `room` pixels free at the right of a page."""
        if room != self._button_space:
            self._button_space = room
            self._limit_line_length()

    def set_hint(self, what: str, how: str) -> None:
        """Set the placeholder; `how`, the keys, is shown if there is space."""
        self._hints = (what, how)
        self._show_hint()

    def text(self) -> str:
        """Return the typed text without soft breaks. Cached, since it is read after each pause and by Send."""
        if self._cached_text is None:
            self._cached_text = self._read(self.document())
        return self._cached_text

    def replace(self, text: str) -> None:
        """Replace the text. Undo restores the previous one."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        _clear(cursor)
        self._insert(cursor, text)
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def write(self, text: str) -> None:
        """Insert at the cursor, unless the model is writing on the page."""
        if not self.isReadOnly():
            self._insert(self.textCursor(), text)
            self.ensureCursorVisible()

    def _new_document(self) -> QTextDocument:
        made = QTextDocument(self)
        made.setDefaultFont(self.font())
        made.setDocumentLayout(QPlainTextDocumentLayout(made))
        made.contentsChange.connect(self._forget_text)
        return made

    def _read(self, document: QTextDocument) -> str:
        raw: str = document.toRawText()
        return join_soft_breaks(raw, document.begin()) if self._has_soft_breaks else raw.replace("\u2029", "\n")

    def _forget_text(self) -> None:
        self._cached_text = None

    def show_page(self, pieces: Sequence[tuple[str, bool]]) -> None:
        """Replace the page. The flag of a piece says whether the model wrote it. Undo restores the previous page."""
        self._tint.expect()
        cursor = QTextCursor(self._page)
        cursor.beginEditBlock()
        _clear(cursor)
        breaks = SoftBreaks()
        for text, model in pieces:
            self._has_soft_breaks |= insert(cursor, breaks, text, by_model() if model else QTextCharFormat())
        cursor.endEditBlock()
        self._original = self._read(self._page)

    def forget(self) -> None:
        self.show_page(())
        _clear(QTextCursor(self._line))
        for document in (self._line, self._page):
            document.clearUndoRedoStacks()

    @property
    def page_is_touched(self) -> bool:
        """True if the page was edited since it was shown or since the last answer."""
        return self._paged and self.text() != self._original

    def begin_answer(self) -> None:
        """Make the page read-only while the model writes."""
        self._tint.expect()
        self._answer = AnswerWriter(self._page)
        self.setReadOnly(True)

    def write_answer(self, text: str) -> None:
        """Append to the answer, and follow the end for a reader there."""
        if self._answer is None or not text:
            return
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - SLACK_PX
        if self._answer.write(text):
            self._has_soft_breaks = True
            self._cached_text = None  # a listener may have read the text before the flag was set
        if at_end:
            bar.setValue(bar.maximum())

    def end_answer(self) -> None:
        if self._answer is not None:
            self._answer = None
            self._original = self._read(self._page)
            self.setReadOnly(False)
            if self._paged:
                self.moveCursor(QTextCursor.MoveOperation.End)

    def _insert(self, cursor: QTextCursor, text: str) -> None:
        cursor.beginEditBlock()
        self._has_soft_breaks |= insert(cursor, SoftBreaks(), text, QTextCharFormat())
        cursor.endEditBlock()

    def _fit(self) -> None:
        """Grow with the text up to MAX_LINES, then scroll. A page takes all free space."""
        bar = Qt.ScrollBarPolicy
        if self._paged:
            self.setVerticalScrollBarPolicy(bar.ScrollBarAsNeeded)
            self.setMinimumHeight(0)
            self.setMaximumHeight(ANY_HEIGHT_PX)
            return
        self._align()
        lines = 0
        block = self.document().begin()
        while block.isValid() and lines < MAX_LINES:
            self.blockBoundingRect(block)  # Qt lays a block out only when asked
            lines += max(1, block.layout().lineCount())
            block = block.next()
        # With fewer lines the bar would flicker while the height follows, and rewrap the text.
        self.setVerticalScrollBarPolicy(bar.ScrollBarAsNeeded if lines >= MAX_LINES else bar.ScrollBarAlwaysOff)
        margin = 2 * round(self.document().documentMargin())
        height = min(max(lines, 1), MAX_LINES) * self.fontMetrics().lineSpacing() + margin + GAP_PX // 2
        if height != self.maximumHeight():
            self.setFixedHeight(height)

    def _align(self) -> None:
        """Align by the direction of the first line, since Qt has one alignment for plain text."""
        runs = self.document().firstBlock().textDirection()
        side = Qt.AlignmentFlag.AlignRight if runs is Qt.LayoutDirection.RightToLeft else Qt.AlignmentFlag.AlignLeft
        option = self.document().defaultTextOption()
        if option.alignment() != side:
            option.setAlignment(side)
            self.document().setDefaultTextOption(option)

    def _resize(self) -> None:
        self._set_lines.pitch_px = self._theme.scaled(PROSE_LINE_PX)
        for document in (self._line, self._page):
            document.setDefaultFont(self.font())
        self._fit()
        self._limit_line_length()
        self._show_hint()

    def _show_hint(self) -> None:
        hint = " ".join(self._hints)
        room = self.viewport().width() - 2 * self.document().documentMargin()
        fits = self._paged or self.fontMetrics().horizontalAdvance(hint) <= room
        self.setPlaceholderText(hint if fits else self._hints[0])
        self.viewport().update()  # Qt repaints only a first placeholder

    def _limit_line_length(self) -> None:
        """Limit and center the lines of a page, and hide a cut line at the bottom."""
        side = below = 0
        if self._paged:
            side = max(0, (self.width() - self._theme.scaled(MEASURE_PX)) // 2)
            # When scrolled, the top margin of the page is smaller.
            above = round(self.document().documentMargin()) - 1
            below = max(0, self.height() - above) % self._set_lines.pitch_px
        self.setViewportMargins(side, 0, max(side, self._button_space), below)

    def _move_onto_line(self, event: QMouseEvent) -> QMouseEvent:
        """Move a pointer between two lines onto the lower one. Qt would hit the end of the upper one."""
        block, point = self.firstVisibleBlock(), event.position()
        if not self.viewport().rect().contains(point.toPoint()):
            return event  # dragged out of the page: it scrolls
        top = self.contentOffset().y()
        while block.isValid() and top + (height := self.blockBoundingRect(block).height()) <= point.y():
            block, top = block.next(), top + height
        if block.isValid():
            point.setY(top + self._set_lines.line_at(block, point.y() - top))
        held = event.button(), event.buttons(), event.modifiers()
        return QMouseEvent(event.type(), point, event.globalPosition(), *held, event.pointingDevice())

    def _reset_format(self) -> None:
        """Text typed after the model's text isn't marked as the model's."""
        if self._paged and not self.textCursor().hasSelection():
            self.setCurrentCharFormat(QTextCharFormat())

    def _is_send(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.MetaModifier):
            return True
        return bool(self.enter_sends and not self._paged and modifiers == Qt.KeyboardModifier.NoModifier)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or source.hasUrls() or source.hasImage()

    def insertFromMimeData(self, source: QMimeData) -> None:
        # Qt's slot `paste` doesn't check whether the field is read-only.
        if paths := paths_of(source):
            self.files_offered.emit(paths)
        elif source.hasText():
            self.write(source.text())
        elif source.hasImage():
            self.picture_offered.emit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy without soft breaks and Qt's special spaces."""
        chosen = self.textCursor()
        return as_mime(join_soft_breaks(chosen.selectedText(), self.document().findBlock(chosen.selectionStart())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._reset_format()
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or self._composing:
            super().keyPressEvent(event)
        elif self._is_send(event):
            self.submitted.emit()
        elif not self.isReadOnly():
            self.textCursor().insertBlock(QTextBlockFormat())
            self.ensureCursorVisible()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        self._reset_format()
        super().inputMethodEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and self._paged:
            event = self._move_onto_line(event)
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._wide:
            self._wide = self.width()
            self._fit()
        self._limit_line_length()
        self._show_hint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._composing = False
        super().focusOutEvent(event)
        self.focused.emit(False)


def _clear(cursor: QTextCursor) -> None:
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.removeSelectedText()
    cursor.setBlockFormat(QTextBlockFormat())


class PageLayout(QPlainTextDocumentLayout):
    """A layout with the line spacing of the conversation, which Qt's plain text layout can't set."""

    def __init__(self, document: QTextDocument, pitch_px: int) -> None:
        super().__init__(document)
        self.pitch_px = pitch_px

    def line_at(self, block: QTextBlock, down: float) -> float:
        """Return the y coordinate of the middle of the line `down` pixels below the top of a block."""
        lines = block.layout()
        rects = [lines.lineAt(at).rect() for at in range(lines.lineCount())]
        return next((rect.center().y() for rect in rects if rect.bottom() >= down), down)

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        rect = super().blockBoundingRect(block)
        if not (block.isValid() and block.isVisible()) or (lines := block.layout()).lineAt(0).y() > 0:
            return rect
        bottom = 0.0
        for at in range(lines.lineCount()):
            line = lines.lineAt(at)
            bottom += max(self.pitch_px, line.height())
            line.setPosition(QPointF(line.x(), bottom - line.height()))
        return super().blockBoundingRect(block)
