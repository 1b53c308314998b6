"""Garbage is collected on the window's thread alone, and never while a model is writing."""

import gc
import threading

from PySide6.QtCore import QObject, Qt, Signal, Slot

PATIENCE_S = 2.0
"""A window that is busy for so long is not waited for: the garbage stays until the next time."""
YOUNG = 1


class Collector(QObject):
    """Stands in for Python's own pace of collecting, which comes at any time and on any thread.

    A cycle that holds a QObject must not be taken apart on the engine's thread: Qt's destructor locks the object and
    asks for the interpreter, while the window's thread has the interpreter and waits for that lock. Both stand still
    for good. And a full collection holds the interpreter for 65 to 110 ms, which is seen as a stutter.
    """

    _wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done = threading.Event()
        self._closed = True
        self._by_itself = False
        self._wanted.connect(self._collect, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        """From now on nothing is collected unless it is asked for here."""
        if self._closed:
            self._closed = False
            self._by_itself = gc.isenabled()
            gc.disable()

    def collect_young(self) -> None:
        """What has been made since the last time; what survives is not looked at again before a model goes."""
        gc.collect(YOUNG)

    def collect_from_engine(self) -> None:
        """Called on the engine's thread: have everything collected on the window's thread, and wait for it."""
        self._done.clear()
        if not self._closed:
            self._wanted.emit()
            self._done.wait(PATIENCE_S)

    def close(self) -> None:
        """Keep nobody waiting any more; Python collects by itself again."""
        if not self._closed:
            self._closed = True
            self._done.set()
            if self._by_itself:
                gc.enable()

    @Slot()
    def _collect(self) -> None:
        gc.collect()
        self._done.set()
