"""Later starts of the program: they bring this one's window forward, with what they were asked to open."""

from __future__ import annotations

import os
from socket import socket

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Slot
from PySide6.QtWidgets import QWidget

from app import instance
from app.instance import Claim
from app.ui.shell.main_window import MainWindow


class LaterStarts(QObject):
    """Listens for later starts: brings the window forward and opens what they were asked for."""

    def __init__(self, claim: Claim, listening: socket, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._claim = claim
        self._listening = listening
        self._notifier = QSocketNotifier(listening.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._hear)
        if (application := QCoreApplication.instance()) is not None:
            application.aboutToQuit.connect(self.close)

    @Slot()
    def close(self) -> None:
        """From now on a start is the first one."""
        self._notifier.setEnabled(False)
        self._claim.close()

    @Slot()
    def _hear(self) -> None:
        word = instance.hear(self._listening)
        if word is None:
            return
        for token in instance.TOKENS:
            if word.get(token):
                os.environ[token] = word[token]
        come_forward(self._window)
        if word.get("path"):
            self._window.open_path(word["path"])


def come_forward(window: QWidget) -> None:
    if window.isMinimized():
        window.showNormal()
    window.raise_()
    window.activateWindow()
