"""Where the user writes and sends: the field, its length in tokens, and Send, which becomes Stop while there is one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.widgets.box import Box
from app.widgets.palette import Colour
from app.widgets.prompt_text import PromptText
from app.widgets.theme import GAP_PX, GRID_PX, Size, Theme


class PromptEditor(QWidget):
    """`send` carries the text, which stays until `accept` is called: a refused prompt is not lost."""

    send = Signal(str)
    stop = Signal()
    edited = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ready = False
        self._field = PromptText(theme)
        self._box = Box(theme, Colour.SURFACE, Colour.OUTLINE)
        self._count = QLabel()
        self._count.setObjectName("prompt_tokens")
        self._count.setFont(theme.font(Size.SMALL))
        self._send = self._button("send", "Send", "Send the prompt")
        self._stop = self._button("stop", "Stop", "Stop (Esc)")
        self._lay_out()
        self._field.submitted.connect(self._submit)
        self._field.textChanged.connect(self._note_edit)
        self._field.focused.connect(self._show_focus)
        self._send.clicked.connect(self._submit)
        self._stop.clicked.connect(self.stop)
        self.set_enter_sends(True)
        self.set_token_count("")
        self.set_stoppable(False)
        self._update_send()
        self.setFocusProxy(self._field)

    def text(self) -> str:
        return self._field.text()

    def set_text(self, text: str) -> None:
        """Put a text in; what was there comes back with Undo."""
        self._field.replace(text)

    def accept(self) -> None:
        """The text was sent: make room for the next one. Undo brings it back."""
        self._field.replace("")

    def set_ready(self, ready: bool) -> None:
        """Whether a prompt could be sent now."""
        self._ready = ready
        self._update_send()

    def set_stoppable(self, stoppable: bool) -> None:
        """Show Stop in Send's place exactly while there is something to stop."""
        had_focus = self._send.hasFocus() or self._stop.hasFocus()
        self._stop.setEnabled(stoppable)
        self._stop.setVisible(stoppable)
        self._send.setVisible(not stoppable)
        if had_focus:
            (self._stop if stoppable else self._field).setFocus()

    def set_enter_sends(self, enter_sends: bool) -> None:
        """Enter sends and Shift+Enter makes a line; or Enter makes a line and Ctrl+Enter (⌘ on a Mac) sends."""
        self._field.enter_sends = enter_sends
        sends, breaks = ("Enter", "Shift+Enter") if enter_sends else ("Ctrl+Enter", "Enter")
        self._field.setPlaceholderText(f"Write a prompt. {sends} sends, {breaks} makes a new line.")
        self._send.setToolTip(f"Send the prompt ({sends})")

    def set_token_count(self, text: str) -> None:
        """How long the prompt is, in tokens; empty while that is not known."""
        self._count.setText(text)
        self._count.setAccessibleName(f"Prompt tokens: {text or 'not counted'}")

    def _button(self, name: str, text: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setToolTip(tip)
        button.setProperty("kind", "primary")
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        side = QVBoxLayout()
        side.addStretch(1)
        side.addWidget(self._count, 0, Qt.AlignmentFlag.AlignHCenter)
        side.addWidget(self._send)
        side.addWidget(self._stop)
        width = max(self._send.sizeHint().width(), self._stop.sizeHint().width(), 18 * GRID_PX)
        self._send.setFixedWidth(width)
        self._stop.setFixedWidth(width)
        line = QHBoxLayout(self._box)
        line.setContentsMargins(GAP_PX, GAP_PX, GAP_PX, GAP_PX)
        line.setSpacing(GAP_PX)
        line.addWidget(self._field, 1, Qt.AlignmentFlag.AlignVCenter)
        line.addLayout(side)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._box)

    def _submit(self) -> None:
        if self._send.isEnabled() and not self._stop.isEnabled():
            self.send.emit(self._field.text())

    def _note_edit(self) -> None:
        self._update_send()
        self.edited.emit()

    def _update_send(self) -> None:
        self._send.setEnabled(self._ready and not self._field.document().isEmpty())

    def _show_focus(self, focused: bool) -> None:
        self._box.mark(Colour.ACCENT if focused else Colour.OUTLINE)
