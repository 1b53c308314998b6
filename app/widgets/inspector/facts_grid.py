"""The figures of one token side by side, like the dials of an instrument."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.engine.trace import Traced
from app.widgets.inspector.facts import FACTS
from app.widgets.theme import GAP_PX, GRID_PX, MUTED_ROLE, Size, Theme

ACROSS = 3
WIDE = "origin"
"""Its words need two places."""


class FactsGrid(QWidget):
    """Each figure under its name."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(GAP_PX)
        grid.setVerticalSpacing(0)
        self._values: dict[str, QLabel] = {}
        for number, fact in enumerate(FACTS):
            row, column = divmod(number, ACROSS)
            name, value = _label(theme, fact.short, Size.SMALL), _label(theme, "", Size.NORMAL)
            name.setForegroundRole(MUTED_ROLE)
            value.setObjectName(f"inspector_{fact.key}")
            for label in (name, value):
                label.setToolTip(f"{fact.name}: {fact.tip}.")
            value.setContentsMargins(0, 0, 0, GRID_PX)
            across = 2 if fact.key == WIDE else 1
            grid.addWidget(name, 2 * row, column, 1, across)
            grid.addWidget(value, 2 * row + 1, column, 1, across)
            self._values[fact.key] = value
        for column in range(ACROSS):
            grid.setColumnStretch(column, 1)

    def show_token(self, token: Traced) -> None:
        for fact in FACTS:
            value, words = self._values[fact.key], fact.say(token)
            value.setText(words)
            value.setAccessibleName(f"{fact.name}: {words}")


def _label(theme: Theme, text: str, size: Size) -> QLabel:
    label = QLabel(text)
    label.setFont(theme.font(size))
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
