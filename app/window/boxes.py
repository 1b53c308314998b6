"""The two boxes that the window opens: before a link is followed, and about the program."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app import __version__


def open_link(parent: QWidget, address: str) -> None:
    """A model may write any address: the user sees it before it is opened."""
    box = QMessageBox(parent)
    box.setWindowTitle("Open a Link")
    box.setText("Open this address in the browser?")
    box.setInformativeText(address)
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def tell_about(parent: QWidget) -> None:
    """Its name, its version, what it is."""
    box = QMessageBox(parent)
    box.setWindowTitle("About Sluice")
    box.setText(f"Sluice {__version__}")
    box.setInformativeText("A native playground for local language models, on mlx-lm.")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
