"""The field above a table: what is typed filters or searches, the arrows move in the table below."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets.search_field import SearchField

STEERING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FilterField(SearchField):
    """`steered` with a key that belongs to the table, `entered` with Enter."""

    steered = Signal(QKeyEvent)
    entered = Signal()

    def __init__(self, theme: Theme, name: str, spoken: str, hint: str) -> None:
        tip = tr("{hint} (the arrow keys move in the table)").format(hint=hint)
        super().__init__(name, spoken, hint, tip)
        self.setFont(theme.font(Size.NORMAL))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes no further: a dialog would press one of its buttons."""
        if event.key() in STEERING:
            self.steered.emit(event)
        elif event.key() in ENTER:
            self.entered.emit()
        else:
            super().keyPressEvent(event)
