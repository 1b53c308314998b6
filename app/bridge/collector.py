"""Collects garbage on the GUI thread only, and never while a model generates."""

import gc
import threading

from PySide6.QtCore import QObject, Qt, Signal, Slot

PATIENCE_S = 2.0
"""Maximum seconds to wait for the GUI thread; garbage then stays until the next collection."""
YOUNG = 1


class Collector(QObject):
    """Replaces Python's automatic collection, which runs at any time and on any thread.

    A cycle with a QObject must not be freed on the engine thread: Qt's destructor locks the object and waits for the
    GIL, while the GUI thread holds the GIL and waits for that lock. And a full collection holds the GIL for 65–110 ms,
    which is visible as a stutter.
    """

    _wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done = threading.Event()
        self._closed = True
        self._by_itself = False
        self._wanted.connect(self._collect, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        """Turn off Python's automatic collection."""
        if self._closed:
            self._closed = False
            self._by_itself = gc.isenabled()
            gc.disable()

    def collect_young(self) -> None:
        """Collect the youngest generations; older objects wait until a model is unloaded."""
        gc.collect(YOUNG)

    def collect_from_engine(self) -> None:
        """Collect everything on the GUI thread, and wait for that. Called on the engine thread."""
        self._done.clear()
        if not self._closed:
            self._wanted.emit()
            self._done.wait(PATIENCE_S)

    def close(self) -> None:
        """Release waiting threads, and turn on Python's automatic collection."""
        if not self._closed:
            self._closed = True
            self._done.set()
            if self._by_itself:
                gc.enable()

    @Slot()
    def _collect(self) -> None:
        gc.collect()
        self._done.set()
