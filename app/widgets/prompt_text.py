"""The field where a prompt is typed: Enter sends, input methods finish first, and huge pastes don't freeze it."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.widgets.soft_breaks import SoftBreaks
from app.widgets.theme import GAP_PX, Size, Theme

MOST_LINES = 8
# Undo and redo bring a block's format back, but not its user state.
_SOFT = QTextFormat.Property.UserProperty.value + 1


class PromptText(QPlainTextEdit):
    """`submitted` asks to send; `focused` tells whether it has the keyboard."""

    submitted = Signal()
    focused = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt")
        self.setAccessibleName("Prompt")
        self.setFont(theme.font(Size.PROSE))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.enter_sends = True
        self._composing = False
        self._has_soft_breaks = False
        self.textChanged.connect(self._fit)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def text(self) -> str:
        """What was typed, soft breaks healed."""
        raw: str = self.document().toRawText()
        if not self._has_soft_breaks:
            return raw.replace("\u2029", "\n")
        lines: list[str] = []
        block = self.document().begin()
        while block.isValid():
            if lines and not block.blockFormat().hasProperty(_SOFT):
                lines.append("\n")
            lines.append(block.text())
            block = block.next()
        return "".join(lines)

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

    def _insert(self, cursor: QTextCursor, text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        soft = QTextBlockFormat()
        soft.setProperty(_SOFT, True)
        cursor.beginEditBlock()
        for number, piece in enumerate(SoftBreaks().split(text)):
            if number:
                self._has_soft_breaks = True
                cursor.insertBlock(soft)
            first, newline, rest = piece.partition("\n")
            cursor.insertText(first)
            if newline:
                cursor.insertBlock(QTextBlockFormat())
                cursor.insertText(rest)
        cursor.endEditBlock()

    def _fit(self) -> None:
        """As high as the text, up to a few lines; beyond that it scrolls."""
        lines = 0
        block = self.document().begin()
        while block.isValid() and lines < MOST_LINES:
            lines += max(1, block.layout().lineCount())
            block = block.next()
        margin = 2 * round(self.document().documentMargin())
        height = min(max(lines, 1), MOST_LINES) * self.fontMetrics().lineSpacing() + margin + GAP_PX // 2
        if height != self.height():
            self.setFixedHeight(height)

    def _is_send(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.MetaModifier):
            return True
        return bool(self.enter_sends and modifiers == Qt.KeyboardModifier.NoModifier)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self._insert(self.textCursor(), source.text())
            self.ensureCursorVisible()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or self._composing:
            super().keyPressEvent(event)
        elif self._is_send(event):
            self.submitted.emit()
        else:
            self.textCursor().insertBlock(QTextBlockFormat())
            self.ensureCursorVisible()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._composing = False
        super().focusOutEvent(event)
        self.focused.emit(False)
