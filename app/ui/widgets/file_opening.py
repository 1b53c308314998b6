"""Dialogs that ask for files or folders to open."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_file(parent: QWidget | None, title: str, kinds: str, take: Callable[[Path], object]) -> None:
    """Ask for a file. `kinds` has Qt's format: “Sessions (*.sluice *.json);;All files (*)”."""
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    _open(dialog, dialog.fileSelected, lambda name: take(Path(name)))


def ask_files(parent: QWidget | None, title: str, kinds: str, take: Callable[[list[Path]], object]) -> None:
    """Ask for several files."""
    dialog = QFileDialog(parent, title, "", kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    _open(dialog, dialog.filesSelected, lambda names: take([Path(name) for name in names]))


def ask_folder(parent: QWidget | None, title: str, take: Callable[[Path], object]) -> None:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _open(dialog, dialog.fileSelected, lambda name: take(Path(name)))


def _open(dialog: QFileDialog, chosen: SignalInstance, take: Callable[..., object]) -> None:
    dialog.setObjectName("open_dialog")
    chosen.connect(take)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
