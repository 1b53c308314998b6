"""The socket to which later starts of the program connect (see `app.platform.single_instance`)."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app.platform import single_instance
from app.platform.single_instance import LONGEST_BYTES, Message
from app.ui.widgets import bring_up

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


class LaterStarts(QObject):
    """Listens as soon as it is created; `serve` sets the window to show.

    If the system has no directory for the socket, or another process uses it, the program runs without one.
    """

    def __init__(self, data: Path) -> None:
        super().__init__()
        self._window: MainWindow | None = None
        self._server = QLocalServer(self)
        self._server.newConnection.connect(self._accept)
        with suppress(OSError):
            path = str(single_instance.socket_path(data))
            if not self._server.listen(path) and not single_instance.is_served(data):
                QLocalServer.removeServer(path)
                self._server.listen(path)

    def serve(self, window: MainWindow) -> None:
        """Show this window when a later start connects, until it closes."""
        self._window = window
        self.setParent(window)
        window.leaving.connect(self._close)
        self._accept()

    def _close(self) -> None:
        """Close the socket; later starts that are connected open their own window."""
        self._server.close()
        for line in self._server.findChildren(QLocalSocket):
            line.abort()

    def _accept(self) -> None:
        while self._window is not None and self._server.hasPendingConnections():
            line = self._server.nextPendingConnection()
            line.setReadBufferSize(LONGEST_BYTES + 1)
            line.readyRead.connect(partial(self._read, line))
            line.disconnected.connect(line.deleteLater)
            self._read(line)

    def _read(self, line: QLocalSocket) -> None:
        if not line.canReadLine():
            if line.bytesAvailable() > LONGEST_BYTES:
                line.abort()
            return
        message = single_instance.read_message(bytes(line.readLine().data()))
        if message is None:
            line.abort()
            return
        line.write(single_instance.RECEIVED)
        line.flush()
        line.disconnectFromServer()
        self._take(message)

    def _take(self, message: Message) -> None:
        assert self._window is not None
        for token in single_instance.TOKENS:
            if message[token]:
                os.environ[token] = message[token]
        bring_up(self._window)
        if message["model"]:
            self._window.open_model(message["model"])
        if message["path"]:
            self._window.open_path(message["path"])
