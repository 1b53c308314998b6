"""The field in which a command is looked for: its arrows move in the list below, and no key leads out of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.ui.look import Size, Theme
from app.ui.widgets.search_field import prepare_search
from app.words import tr

PAGE = 8
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -PAGE, Qt.Key.Key_PageDown: PAGE}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
OWN = frozenset((*STEPS, *ENTER, Qt.Key.Key_Escape))
GONE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""The keyboard is not in the window at all: nothing in it was chosen instead."""
HINT = tr("What would you like to do?")


class CommandLine(QLineEdit):
    """`stepped` by so many rows, `entered` with Enter, `left` with Esc or for another part of the window."""

    stepped = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        tip = tr("Some letters of its words are enough; the arrow keys move in the list, Enter does it")
        prepare_search(self, "command_line", tr("Find an action"), HINT, tip)
        self.setFont(theme.font(Size.PROSE))

    def event(self, event: QEvent) -> bool:
        """Esc would stop a run otherwise: while this is open it only closes it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in OWN:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, following: bool) -> bool:
        """There is nowhere else to go here."""
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in GONE:
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS:
            self.stepped.emit(STEPS[key])
        elif key in ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
