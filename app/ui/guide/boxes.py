"""Message boxes: opening a link, reporting a problem, and About."""

from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from app import __version__
from app.i18n import tr
from app.ui.widgets import named

LONGEST_ADDRESS = 2_000
"""Maximum length in characters of a displayed address; a much longer one would make the box taller than the screen."""
BEGINNING = 200
QT_NAME, LINE_LETTERS = "qt_msgbox_informativelabel", 56
"""Name of the text label in Qt's message box, and its minimum width in characters. Qt makes it as narrow as the title.
"""


def open_link(parent: QWidget, address: str) -> None:
    """Ask before opening an address, since it may be written by a model."""
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
    """Show the report that was copied, so that the user can read it before sending."""
    text = tr("This is on the clipboard now. Nothing that you or a model wrote is in it. Paste it into a report.")
    question = tr("{report}\n\nOpen {address} in the browser?").format(report=report, address=address)
    box = named(_box(parent, tr("Report a Problem"), text, question), "report")
    box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Close)
    box.accepted.connect(partial(QDesktopServices.openUrl, QUrl(address)))
    box.open()


def tell_about(parent: QWidget) -> None:
    """Show the name, version and description of the program."""
    words = tr("A native playground for local language models, on mlx-lm.")
    _box(parent, tr("About Sluice"), f"Sluice {__version__}", words).open()


def _box(parent: QWidget, title: str, text: str, more: str) -> QMessageBox:
    """Return a message box with both texts as plain text."""
    box = QMessageBox(parent)
    box.setWindowTitle(title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    for label in box.findChildren(QLabel, QT_NAME):
        label.setMinimumWidth(LINE_LETTERS * box.fontMetrics().averageCharWidth())
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
