"""The boxes that the window opens: before a link is followed, what a report needs, and about the program."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from app import __version__
from app.words import tr

LONGEST_ADDRESS = 2_000
"""Characters. A box for a hundred times as many is taller than any screen, and takes seconds to lay out."""
BEGINNING = 200


def open_link(parent: QWidget, address: str) -> None:
    """A model may write any address: the user sees it before it is opened."""
    box = QMessageBox(parent)
    box.setWindowTitle(tr("Open a Link"))
    # For both texts, the long one too.
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if len(address) > LONGEST_ADDRESS:
        box.setText(tr("This address is too long to be shown, so it is not opened."))
        box.setInformativeText(f"{address[:BEGINNING]}…")
        box.setStandardButtons(QMessageBox.StandardButton.Close)
    else:
        box.setText(tr("Open this address in the browser?"))
        box.setInformativeText(address)
        box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
        box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def tell_report(parent: QWidget, report: str, address: str) -> None:
    """What was put on the clipboard, to be seen before it is sent anywhere."""
    box = QMessageBox(parent)
    box.setObjectName("report")
    box.setWindowTitle(tr("Report a Problem"))
    said = tr("This is on the clipboard now. Nothing that you or a model wrote is in it. Paste it into a report.")
    box.setText(said)
    box.setTextFormat(Qt.TextFormat.PlainText)
    asked = tr("{report}\n\nOpen {address} in the browser?")
    box.setInformativeText(asked.format(report=report, address=address))
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Close)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def tell_about(parent: QWidget) -> None:
    """Its name, its version, what it is."""
    box = QMessageBox(parent)
    box.setWindowTitle(tr("About Sluice"))
    box.setText(f"Sluice {__version__}")
    box.setInformativeText(tr("A native playground for local language models, on mlx-lm."))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
