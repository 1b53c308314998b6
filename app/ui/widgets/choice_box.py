"""A box of choices that has its name even where nothing is written beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QComboBox, QLabel


class ChoiceBox(QComboBox):
    """On Linux a screen reader takes the name of such a box from its label alone, so there is one that nobody sees."""

    def __init__(self, name: str, spoken: str, tip: str) -> None:
        super().__init__()
        self._label = QLabel(spoken)
        self._label.setBuddy(self)
        self._label.hide()
        self.setObjectName(name)
        self.setAccessibleName(spoken)
        self.setToolTip(tip)

    def event(self, event: QEvent) -> bool:
        """A label counts where it stands beside its box."""
        if event.type() == QEvent.Type.ParentChange:
            self._label.setParent(self.parentWidget())
        return super().event(event)
