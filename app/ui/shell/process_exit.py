"""Ends the process at most five seconds after the window was closed; handles the signals that close it."""

import os
import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier

from app.platform import log_file
from app.platform.shutdown import end_in_time
from app.ui.shell.main_window import MainWindow

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
        self._heard, self._written = socket.socketpair()
        for end in (self._heard, self._written):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._heard.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._close)
        signal.set_wakeup_fd(self._written.fileno(), warn_on_full_buffer=False)
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
