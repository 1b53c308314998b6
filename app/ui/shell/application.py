"""The Qt application: opens double-clicked files on macOS, and writes Qt's messages to the log."""

import sys
from contextlib import suppress

from PySide6.QtCore import QEvent, QMessageLogContext, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.platform import log_file

HARMLESS = ("Received text event for invalid interface.",)
"""Qt reports this for each change of a label's rich text while a screen reader runs."""


class Application(QApplication):
    """Receives files to open as events on macOS; elsewhere they are arguments."""

    file_opened = Signal(str)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_opened.emit(event.file())
            return True
        return super().event(event)


def log_qt() -> None:
    """Write Qt's messages to the log, and pass them on, except for known harmless ones."""

    def tell(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
        if text in HARMLESS:
            return
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            log_file.warn(f"Qt: {text}")
        with suppress(OSError):  # the terminal may be closed
            sys.stderr.write(f"{text}\n")

    qInstallMessageHandler(tell)
