"""Where a prompt is typed, a few lines or a whole page: input methods finish first, huge pastes don't freeze it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
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
from app.ui.prompt.answer_writer import AnswerWriter, healed, insert
from app.ui.prompt.model_tint import ModelTint, by_model
from app.ui.prompt.page_layout import PageLayout
from app.ui.widgets import named
from app.ui.widgets.drops import paths_of
from app.ui.widgets.plain_text import as_mime

MOST_LINES = 8
ANY_HEIGHT_PX = 16_777_215
SLACK_PX = 8
"""So close to the end counts as being there."""


class PromptField(QPlainTextEdit):
    """`submitted` asks to send; `focused` tells whether it has the keyboard.

    It holds two texts, each with an undo history of its own: what is said in a chat, and a page on which the model
    goes on writing. `set_paged` puts one of them before the user's eyes.
    """

    submitted = Signal()
    focused = Signal(bool)
    files_offered = Signal(object)
    """tuple[Path, ...]: they were dropped or pasted."""
    picture_offered = Signal()
    """One without a file was."""

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
        self._said: str | None = None
        """What `text` said, until something is edited."""
        self._stood = ""
        """What was on the page when it was shown, or when the model had written on it."""
        self._paged = False
        self._wide = 0
        """It, when its lines were counted last."""
        self._left = 0
        """Room at the right of a page for what stands on it."""
        self._hints = ("", "")
        self._answer: AnswerWriter | None = None
        # Both are made here: its own first document Qt would delete with the first change of it.
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
        """Show the page, or the few lines of a chat."""
        if paged != self._paged:
            self._paged = paged
            self._said = None
            self.setDocument(self._page if paged else self._line)
            self._fit()
            self._keep_measure()

    def leave(self, room: int) -> None:
        """So much at the right of a page, before its scroll bar, is for others."""
        if room != self._left:
            self._left = room
            self._keep_measure()

    def set_hint(self, what: str, how: str) -> None:
        """What is read while nothing is typed; `how` only where there is room."""
        self._hints = (what, how)
        self._show_hint()

    def text(self) -> str:
        """What was typed, soft breaks healed. It is asked for at every rest of the keyboard, and again by Send."""
        if self._said is None:
            self._said = self._read(self.document())
        return self._said

    def replace(self, text: str) -> None:
        """Put this in place of all there is. Undo brings back what was there."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setBlockFormat(QTextBlockFormat())
        self._insert(cursor, text)
        cursor.endEditBlock()
        self.setTextCursor(cursor)

    def write(self, text: str) -> None:
        """Put this where the cursor is; a page on which the model is writing is left alone."""
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
        return healed(raw, document.begin()) if self._has_soft_breaks else raw.replace("\u2029", "\n")

    def _forget_text(self) -> None:
        self._said = None

    def show_page(self, pieces: Sequence[tuple[str, bool]]) -> None:
        """Put this on the page, each piece with whether the model wrote it. Undo brings back what was there."""
        self._tint.expect()
        cursor = QTextCursor(self._page)
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setBlockFormat(QTextBlockFormat())
        breaks = SoftBreaks()
        for text, model in pieces:
            self._has_soft_breaks |= insert(cursor, breaks, text, by_model() if model else QTextCharFormat())
        cursor.endEditBlock()
        self._stood = self._read(self._page)

    def forget(self) -> None:
        """Nothing is left of either text, nor of what Undo would bring back."""
        self.show_page(())
        line = QTextCursor(self._line)
        line.select(QTextCursor.SelectionType.Document)
        line.removeSelectedText()
        for document in (self._line, self._page):
            document.clearUndoRedoStacks()

    @property
    def page_is_touched(self) -> bool:
        """Whether another text is on the page than when it was shown, or when the model had written on it."""
        return self._paged and self.text() != self._stood

    def begin_answer(self) -> None:
        """What is written from now on is the model's, and nobody else may write."""
        self._tint.expect()
        self._answer = AnswerWriter(self._page)
        self.setReadOnly(True)

    def write_answer(self, text: str) -> None:
        """Append to the answer; whoever looks at the end goes on looking at it."""
        if self._answer is None or not text:
            return
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - SLACK_PX
        if self._answer.write(text):
            self._has_soft_breaks = True
            self._said = None  # whoever heard of the change has asked before this was known
        if at_end:
            bar.setValue(bar.maximum())

    def end_answer(self) -> None:
        """The user may write again."""
        if self._answer is not None:
            self._answer = None
            self._stood = self._read(self._page)
            self.setReadOnly(False)
            if self._paged:
                self.moveCursor(QTextCursor.MoveOperation.End)

    def _insert(self, cursor: QTextCursor, text: str) -> None:
        cursor.beginEditBlock()
        self._has_soft_breaks |= insert(cursor, SoftBreaks(), text, QTextCharFormat())
        cursor.endEditBlock()

    def _fit(self) -> None:
        """As high as the text, up to a few lines; beyond that it scrolls. A page takes what there is."""
        bar = Qt.ScrollBarPolicy
        if self._paged:
            self.setVerticalScrollBarPolicy(bar.ScrollBarAsNeeded)
            self.setMinimumHeight(0)
            self.setMaximumHeight(ANY_HEIGHT_PX)
            return
        self._align()
        lines = 0
        block = self.document().begin()
        while block.isValid() and lines < MOST_LINES:
            self.blockBoundingRect(block)  # in another width it has no lines yet until somebody asks
            lines += max(1, block.layout().lineCount())
            block = block.next()
        # Of fewer it would come and go while the height follows their number, and break them anew each time.
        self.setVerticalScrollBarPolicy(bar.ScrollBarAsNeeded if lines >= MOST_LINES else bar.ScrollBarAlwaysOff)
        margin = 2 * round(self.document().documentMargin())
        height = min(max(lines, 1), MOST_LINES) * self.fontMetrics().lineSpacing() + margin + GAP_PX // 2
        if height != self.maximumHeight():
            self.setFixedHeight(height)

    def _align(self) -> None:
        """At the side from which its first line runs; Qt has one side for all lines of plain text."""
        runs = self.document().firstBlock().textDirection()
        side = Qt.AlignmentFlag.AlignRight if runs is Qt.LayoutDirection.RightToLeft else Qt.AlignmentFlag.AlignLeft
        option = self.document().defaultTextOption()
        if option.alignment() != side:
            option.setAlignment(side)
            self.document().setDefaultTextOption(option)

    def _resize(self) -> None:
        """The text that is not in sight too."""
        self._set_lines.pitch_px = self._theme.scaled(PROSE_LINE_PX)
        for document in (self._line, self._page):
            document.setDefaultFont(self.font())
        self._fit()
        self._keep_measure()
        self._show_hint()

    def _show_hint(self) -> None:
        """The whole of it where it fits on the line there is."""
        whole = " ".join(self._hints)
        room = self.viewport().width() - 2 * self.document().documentMargin()
        fits = self._paged or self.fontMetrics().horizontalAdvance(whole) <= room
        self.setPlaceholderText(whole if fits else self._hints[0])
        self.viewport().update()  # Qt paints it anew only where there was none

    def _keep_measure(self) -> None:
        """Lines of a page stay at a readable length, in the middle, and the last one in sight is whole."""
        side = below = 0
        if self._paged:
            side = max(0, (self.width() - self._theme.scaled(MEASURE_PX)) // 2)
            # Scrolled, the page has less of a margin above its text: what is over of a line has no letters in it.
            above = round(self.document().documentMargin()) - 1
            below = max(0, self.height() - above) % self._set_lines.pitch_px
        self.setViewportMargins(side, 0, max(side, self._left), below)

    def _on_a_line(self, event: QMouseEvent) -> QMouseEvent:
        """Between two lines of a page the pointer is on the lower one; Qt would take it for the upper one's end."""
        block, place = self.firstVisibleBlock(), event.position()
        if not self.viewport().rect().contains(place.toPoint()):
            return event  # dragged out of the page: it scrolls
        top = self.contentOffset().y()
        while block.isValid() and top + (height := self.blockBoundingRect(block).height()) <= place.y():
            block, top = block.next(), top + height
        if block.isValid():
            place.setY(top + self._set_lines.line_at(block, place.y() - top))
        held = event.button(), event.buttons(), event.modifiers()
        return QMouseEvent(event.type(), place, event.globalPosition(), *held, event.pointingDevice())

    def _write_as_oneself(self) -> None:
        """What is typed behind the model's words is not the model's."""
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
        # Qt's own would ask whether it may write too: the slot `paste` does not.
        if paths := paths_of(source):
            self.files_offered.emit(paths)
        elif source.hasText():
            self.write(source.text())
        elif source.hasImage():
            self.picture_offered.emit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """The text as it is: Qt's own has soft breaks for lines, and blanks of its own for others."""
        chosen = self.textCursor()
        return as_mime(healed(chosen.selectedText(), self.document().findBlock(chosen.selectionStart())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._write_as_oneself()
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or self._composing:
            super().keyPressEvent(event)
        elif self._is_send(event):
            self.submitted.emit()
        elif not self.isReadOnly():
            self.textCursor().insertBlock(QTextBlockFormat())
            self.ensureCursorVisible()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        self._write_as_oneself()
        super().inputMethodEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and self._paged:
            event = self._on_a_line(event)
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._wide:
            self._wide = self.width()
            self._fit()
        self._keep_measure()
        self._show_hint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._composing = False
        super().focusOutEvent(event)
        self.focused.emit(False)
