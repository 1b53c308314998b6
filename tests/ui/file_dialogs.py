"""What a user does with a file dialog."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk


def file_dialog(window: QWidget) -> QFileDialog:
    """The one that is open: one that was closed may not be gone yet."""
    (dialog,) = (each for each in window.findChildren(QFileDialog) if each.isVisible())
    return dialog


def saved(desk: Desk, window: MainWindow, path: Path) -> str:
    dialog = file_dialog(window)
    dialog.fileSelected.emit(str(path))
    dialog.done(0)
    desk.qtbot.waitUntil(path.exists)
    return path.read_text("utf-8")
