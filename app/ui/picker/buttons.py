"""How the picker's buttons and labels are made: named, told, and never pressed by an Enter meant for something else."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QPushButton

from app.ui.look.theme import Size, Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label


def button(name: str, text: str, tip: str, kind: str = "") -> QPushButton:
    """A button of a dialog."""
    made = push_button(name, text, tip)
    if kind:
        made.setProperty("kind", kind)
    return made


def label(theme: Theme, name: str, size: Size = Size.NORMAL, bold: bool = False) -> QLabel:
    """Text as it stands: names of models come from strangers."""
    return plain_label(name, font=theme.font(size, bold=bold))
