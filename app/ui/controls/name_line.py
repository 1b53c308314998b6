"""A line for entering a name, with the reason if it is refused."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.i18n import tr
from app.presets import readable
from app.ui.look import GRID_PX, Theme
from app.ui.widgets import SmallPrint, in_grid, named, tool_button


class NameLine(QWidget):
    """An inline field for a name. `named` carries the text. It stays open until it is closed, so that a refused name
    can be corrected.
    """

    named = Signal(str)

    def __init__(self, theme: Theme, name: str = "preset_name") -> None:
        super().__init__()
        self.began_with = ""
        self._line = named(QLineEdit(), name, tr("Name"), tr("A name (Enter: save, Esc: cancel)"))
        self._line.returnPressed.connect(self._tell)
        self._line.textEdited.connect(lambda: self.refuse(""))
        self._reason = SmallPrint(theme, f"{name}_reason", "warning")
        take, leave = tr("Use this name"), tr("Cancel")
        taker = tool_button(f"{name}_ok", "✓", take, take, press=self._tell)
        leaver = tool_button(f"{name}_cancel", "✕", leave, leave, press=self.hide)
        in_grid([self._line, taker, leaver], self._reason, on=self, gap=GRID_PX, wide={})
        self.hide()

    def ask(self, question: str, name: str) -> None:
        """Open the line with a suggested name."""
        self.began_with = name
        self._line.setAccessibleName(question)
        self._line.setPlaceholderText(question)
        self._line.setText(name)
        self._line.selectAll()
        self.refuse("")
        self.show()
        self._line.setFocus()

    def refuse(self, reason: str) -> None:
        self._reason.say(reason)

    def _tell(self) -> None:
        self.named.emit(readable(self._line.text()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
