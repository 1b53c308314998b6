"""Later starts of the program: they bring this one's window forward, with what they were asked to open."""

import os
from contextlib import suppress
from socket import SHUT_RDWR, socket

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Slot

from app import instance
from app.bridge.tasks import Tasks
from app.instance import Claim, Word
from app.ui.shell.main_window import MainWindow
from app.ui.widgets import bring_up

MOST_CALLERS = 8
"""That have not said what they want."""


class LaterStarts(QObject):
    """Listens for later starts: brings the window forward and opens what they were asked for."""

    def __init__(self, claim: Claim, listening: socket, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._claim = claim
        self._listening = listening
        self._notifier = QSocketNotifier(listening.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._answer)
        self._tasks = Tasks(self)
        self._lines: list[socket] = []
        if (application := QCoreApplication.instance()) is not None:
            application.aboutToQuit.connect(self.close)

    @Slot()
    def close(self) -> None:
        """From now on a start is the first one."""
        self._notifier.setEnabled(False)
        self._claim.close()
        for line in self._lines:
            _hang_up(line)
        self._tasks.close()

    @Slot()
    def _answer(self) -> None:
        """Each caller has a thread of its own; where there are too many, the one that has taken longest goes."""
        line = instance.answer(self._listening)
        if line is None:
            return
        if len(self._lines) >= MOST_CALLERS:
            _hang_up(self._lines.pop(0))
        self._lines.append(line)
        self._tasks.start(self._hear(line))

    async def _hear(self, line: socket) -> None:
        word = await self._tasks.in_thread(instance.hear, line)
        if line in self._lines:
            self._lines.remove(line)
        if word is not None:
            self._take(word)

    def _take(self, word: Word) -> None:
        for token in instance.TOKENS:
            if word.get(token):
                os.environ[token] = word[token]
        bring_up(self._window)
        if word.get("model"):
            self._window.open_model(word["model"])
        if word.get("path"):
            self._window.open_path(word["path"])


def _hang_up(line: socket) -> None:
    with suppress(OSError):  # it was closed by whoever heard it
        line.shutdown(SHUT_RDWR)
