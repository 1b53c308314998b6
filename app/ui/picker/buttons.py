"""How the picker's buttons and labels are made: named, told, and never pressed by an Enter meant for something else."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from app.ui.look.theme import Size, Theme


def button(name: str, text: str, tip: str, kind: str = "") -> QPushButton:
    """A button of a dialog."""
    made = QPushButton(text)
    made.setObjectName(name)
    made.setAccessibleName(text.replace("…", ""))
    made.setToolTip(tip)
    made.setAutoDefault(False)
    if kind:
        made.setProperty("kind", kind)
    return made


def label(theme: Theme, name: str, size: Size = Size.NORMAL, bold: bool = False) -> QLabel:
    """Text as it stands: names of models come from strangers."""
    made = QLabel()
    made.setObjectName(name)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setFont(theme.font(size, bold=bold))
    return made
