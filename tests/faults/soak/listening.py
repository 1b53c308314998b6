"""Hears whatever Qt, Python or a thread complains of, and keeps the browser out of it."""

import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, QUrl, Slot, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices

USUAL = ("This plugin does not support", "OpenType support missing", "Keyboard event not accepted")
"""What is said of a screen that is none, of fonts that are not installed, and by Qt's test keys that nobody takes."""
SCHEMES = ("http", "https", "mailto", "file")


class Opened(QObject):
    """Addresses that would have gone to the browser."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    @Slot(QUrl)
    def open(self, address: QUrl) -> None:
        self.addresses.append(address.toString())


@contextmanager
def listening() -> Iterator[list[str]]:
    """All complaints in between."""
    said: list[str] = []
    with _python_heard(said), _qt_heard(said), _nothing_opened(), warnings.catch_warnings():
        warnings.simplefilter("error")
        yield said


@contextmanager
def _python_heard(said: list[str]) -> Iterator[None]:
    def hear(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        said.append("".join(traceback.format_exception(kind, error, trace)))

    before = sys.excepthook, sys.unraisablehook, threading.excepthook
    sys.excepthook = hear
    sys.unraisablehook = lambda what: hear(what.exc_type, what.exc_value, what.exc_traceback)
    threading.excepthook = lambda what: hear(what.exc_type, what.exc_value, what.exc_traceback)
    try:
        yield
    finally:
        sys.excepthook, sys.unraisablehook, threading.excepthook = before


@contextmanager
def _qt_heard(said: list[str]) -> Iterator[None]:
    def hear(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not any(each in message for each in USUAL):
            said.append(f"Qt: {message}")

    before = qInstallMessageHandler(hear)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


@contextmanager
def _nothing_opened() -> Iterator[None]:
    opened = Opened()
    for scheme in SCHEMES:
        # The stub asks for bytes, which the library refuses.
        QDesktopServices.setUrlHandler(scheme, opened, "open")  # type: ignore[arg-type]
    try:
        yield
    finally:
        for scheme in SCHEMES:
            QDesktopServices.unsetUrlHandler(scheme)
