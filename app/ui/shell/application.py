"""The program as the system sees it: asked to open a file that was double-clicked; what Qt says goes to the log."""

import sys
from contextlib import suppress

from PySide6.QtCore import QEvent, QMessageLogContext, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.platform import log_file

HARMLESS = ("Received text event for invalid interface.",)
"""Said several times a second to a screen reader: each change of a label's marked-up text calls itself an edit."""


class Application(QApplication):
    """macOS tells a running program of the file; elsewhere it stands on the command line."""

    file_opened = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_opened.emit(event.file())
            return True
        return super().event(event)


def log_qt() -> None:
    """Qt's warnings go to the log, and on to where they went before, but for what is no fault of anybody."""

    def tell(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
        if text in HARMLESS:
            return
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            log_file.warn(f"Qt: {text}")
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(f"{text}\n")

    qInstallMessageHandler(tell)
