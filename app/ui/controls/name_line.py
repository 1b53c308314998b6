"""A line that asks for a name in place, with the reason when it can't be had."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QToolButton, QWidget

from app.ui.look.theme import GRID_PX, Theme
from app.ui.widgets.small_print import SmallPrint
from app.words import tr


class NameLine(QWidget):
    """`named` with what was typed. It stays until it is closed, so that a refused name can be mended."""

    named = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.began_with = ""
        self._line = QLineEdit()
        self._line.setObjectName("preset_name")
        self._line.setAccessibleName(tr("Name"))
        self._line.setToolTip(tr("A name (Enter takes it, Esc leaves it)"))
        self._line.returnPressed.connect(self._tell)
        self._line.textEdited.connect(self._forget)
        self._reason = SmallPrint(theme, "preset_name_reason", "warning")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GRID_PX)
        grid.addWidget(self._line, 0, 0)
        for column, (name, sign, spoken, wish) in enumerate(
            (("ok", "✓", tr("Take this name"), self._tell), ("cancel", "✕", tr("Leave it"), self.close_line)), start=1
        ):
            button = QToolButton()
            button.setObjectName(f"preset_name_{name}")
            button.setText(sign)
            button.setAccessibleName(spoken)
            button.setToolTip(spoken)
            button.clicked.connect(wish)
            grid.addWidget(button, 0, column)
        grid.addWidget(self._reason, 1, 0, 1, 3)
        self.hide()

    def ask(self, question: str, name: str) -> None:
        """Ask, beginning with a name that may be changed."""
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

    @Slot()
    def close_line(self) -> None:
        self.hide()

    @Slot()
    def _tell(self) -> None:
        self.named.emit(self._line.text().strip())

    @Slot()
    def _forget(self) -> None:
        self.refuse("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_line()
        else:
            super().keyPressEvent(event)
