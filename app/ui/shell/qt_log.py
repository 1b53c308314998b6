"""Qt's own messages, on their way into the log."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from app import logs

HARMLESS = ("Received text event for invalid interface.",)
"""Said several times a second to a screen reader: each change of a label's marked-up text calls itself an edit."""


def log_qt() -> None:
    """Qt's warnings go to the log, and on to where they went before, but for what is no fault of anybody."""

    def tell(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
        if text in HARMLESS:
            return
        sys.stderr.write(f"{text}\n")
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            logs.warn(f"Qt: {text}")

    qInstallMessageHandler(tell)
