"""The boxes that the window opens: before a link is followed, what a report needs, and about the program."""

from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from app import __version__
from app.i18n import tr
from app.ui.widgets import named

LONGEST_ADDRESS = 2_000
"""Characters. A box for a hundred times as many is taller than any screen, and takes seconds to lay out."""
BEGINNING = 200
QT_NAME, LINE_LETTERS = "qt_msgbox_informativelabel", 56
"""Qt's box is as narrow as the words of its title, and breaks the others into a column."""


def open_link(parent: QWidget, address: str) -> None:
    """Show an address before it is opened, since a model can write any."""
    title, buttons = tr("Open a Link"), QMessageBox.StandardButton
    if len(address) > LONGEST_ADDRESS:
        words = tr("This address is too long to be shown, so it is not opened.")
        box = _box(parent, title, words, f"{address[:BEGINNING]}…")
        box.setStandardButtons(buttons.Close)
    else:
        box = _box(parent, title, tr("Open this address in the browser?"), address)
        box.setStandardButtons(buttons.Open | buttons.Cancel)
        box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def tell_report(parent: QWidget, report: str, address: str) -> None:
    """Show the copied report, so that the user can read it before sending."""
    said = tr("This is on the clipboard now. Nothing that you or a model wrote is in it. Paste it into a report.")
    asked = tr("{report}\n\nOpen {address} in the browser?").format(report=report, address=address)
    box = named(_box(parent, tr("Report a Problem"), said, asked), "report")
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Close)
    box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def tell_about(parent: QWidget) -> None:
    """Its name, its version, what it is."""
    words = tr("A native playground for local language models, on mlx-lm.")
    _box(parent, tr("About Sluice"), f"Sluice {__version__}", words).open()


def _box(parent: QWidget, title: str, text: str, more: str) -> QMessageBox:
    """Both texts as they stand, the long one too."""
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel, QT_NAME):
        label.setMinimumWidth(LINE_LETTERS * box.fontMetrics().averageCharWidth())
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
