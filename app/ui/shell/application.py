"""The Qt application and its process: Qt's messages, files that macOS opens, sleep, signals, and the end."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    Qt,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from app.i18n import tr
from app.platform import log_file
from app.platform.shutdown import end_in_time
from app.state import BUSY

if TYPE_CHECKING:
    from app.bridge.playground import Playground
    from app.platform.app_nap import SleepBlocker
    from app.ui.picker.controller_downloads import DownloadsController
    from app.ui.shell.main_window import MainWindow

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

    def log(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
        if text in HARMLESS:
            return
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            log_file.warn(f"Qt: {text}")
        with suppress(OSError):  # the terminal may be closed
            sys.stderr.write(f"{text}\n")

    qInstallMessageHandler(log)


REASON = "A model is loaded, run or downloaded"
IN_THE_DOCK = ("new_session", "open_model", "stop")


class SleepPrevention(QObject):
    """Prevents App Nap and sleep during runs and downloads."""

    def __init__(
        self, playground: Playground, downloading: DownloadsController, sleep_blocker: SleepBlocker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._downloading = downloading
        self._sleep_blocker = sleep_blocker
        playground.follow(("phase", "experiment"), self._look)
        downloading.changed.connect(self._look)

    def _look(self) -> None:
        state = self._playground.state
        if state.phase in BUSY or state.experiment or self._downloading.is_active:
            self._sleep_blocker.begin(REASON)
        else:
            self._sleep_blocker.end()


def dock_menu(window: QWidget) -> QMenu:
    menu = QMenu(window)
    menu.setObjectName("dock_menu")
    known = {action.objectName(): action for action in window.actions()}
    for name in IN_THE_DOCK:
        menu.addAction(known[f"action_{name}"])
    if sys.platform == "darwin":
        menu.setAsDockMenu()
    return menu


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ProcessExit(QObject):
    """Ends the process; `again` starts the program again if the window requested that."""

    def __init__(self, window: MainWindow, again: Callable[[], object]) -> None:
        super().__init__(window)
        self._window = window
        self._again = again
        self._over = False
        window.leaving.connect(self._begin)

    def end(self, code: int) -> int:
        """End the process after the window has closed, even if a thread hangs."""
        self._over = True
        if self._window.starts_again:
            self._again()
        if self._window.is_hanging:
            log_file.end()
            os._exit(code)
        return code

    def _begin(self) -> None:
        end_in_time(self._end_anyway)

    def _end_anyway(self) -> None:
        """End the process on another thread after a delay: this one or the interpreter's shutdown may hang."""
        if not self._over and self._window.starts_again:
            self._again()
        os._exit(0)


class SystemSignals(QObject):
    """Makes SIGINT, SIGTERM and SIGHUP close the window. A second signal ends the process at once.

    Python writes the signal to a socket that Qt's event loop watches, so no timer is needed.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._close)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for each in SIGNALS:
            if signal.getsignal(each) is not signal.SIG_IGN:  # as under nohup
                signal.signal(each, _restore_handlers)

    def _close(self) -> None:
        self._notifier.setEnabled(False)
        self._window.close()


def _restore_handlers(number: int, frame: object) -> None:
    """Restore the default handlers, so that a second signal ends the process."""
    for each in SIGNALS:
        if signal.getsignal(each) is _restore_handlers:
            signal.signal(each, signal.SIG_DFL)


def show_start_failure(why: str) -> None:
    """Show the box until it is closed; its text is never markup."""
    running = QApplication.instance() or QApplication(sys.argv[:1])
    box = QMessageBox()
    box.setObjectName("start_failure")
    box.setIcon(QMessageBox.Icon.Critical)
    box.setWindowTitle(running.applicationName() or "Sluice")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(tr("Sluice can't start."))
    box.setInformativeText(why)
    box.exec()
