"""Answers file dialogs."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from tests.ui.alone import Alone
from tests.ui.room import Room


def file_dialog(window: QWidget) -> QFileDialog:
    """Return the visible dialog; a closed one may still exist."""
    (dialog,) = (each for each in window.findChildren(QFileDialog) if each.isVisible())
    return dialog


def answer(window: QWidget, path: Path) -> None:
    """Choose this file or folder."""
    dialog = file_dialog(window)
    dialog.fileSelected.emit(str(path))
    dialog.done(0)


def saved(room: Room | Alone, path: Path) -> str:
    """Choose this file, and read what was saved in it."""
    answer(room, path)
    room.until(path.exists)
    return path.read_text("utf-8")
