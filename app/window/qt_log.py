"""Qt's own messages, on their way into the log."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app import logs


def log_qt() -> None:
    """Qt's warnings go to the log, and on to where they went before."""

    def tell(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
        sys.stderr.write(f"{text}\n")
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            logs.warn(f"Qt: {text}")

    qInstallMessageHandler(tell)
