"""The window's parts by the names that were promised."""

from typing import TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.ui.shell.main_window import MainWindow

Widget = TypeVar("Widget", bound=QWidget)


def part(window: QWidget, kind: type[Widget], name: str = "") -> Widget:
    """The one of this kind and name, which is there."""
    found = window.findChild(kind, name) if name else window.findChild(kind)
    assert found is not None, name or kind.__name__
    return found


def act(window: MainWindow, name: str) -> QAction:
    """One of the table of actions."""
    return next(each for each in window.actions() if each.objectName() == f"action_{name}")
