"""Brings pyqtgraph in while the window goes on: it takes half a second to import."""

import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

LIBRARY = "pyqtgraph"
ITS_QT = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGL", "QtTest")
SLICE_S = 0.004
PAUSE_MS = 8


class PlotLibrary(QObject):
    """PySide makes a class when it is first named, and pyqtgraph names all of them as it is imported.

    Two threads that make classes at the same time crash the process (seen in four of 280 starts), so all of them are
    made here first, on the window's thread, a few at a time. What is left to import does not touch Qt's classes.
    """

    ready = Signal()
    """The library can be used."""
    _imported = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._classes = _all_classes()
        self._left = False
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._make_some)
        self._thread = threading.Thread(target=self._import, name=LIBRARY)
        self._imported.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def bring(self) -> None:
        """Begin; harmless when it is on its way or nobody waits. Where it is there already, `ready` comes at once."""
        if self._left:
            return
        if not self._thread.is_alive() and LIBRARY in sys.modules:
            self.ready.emit()
        elif self._thread.ident is None and not self._timer.isActive():
            self._timer.start()

    def leave(self) -> None:
        """The window goes: wait for an import that is going on, which can't be broken off."""
        self._left = True
        self._timer.stop()
        self._imported.disconnect(self._tell)
        if self._thread.ident is not None:
            self._thread.join()

    @Slot()
    def _make_some(self) -> None:
        enough = time.perf_counter() + SLICE_S
        for _ in self._classes:
            if time.perf_counter() >= enough:
                return
        self._timer.stop()
        self._thread.start()

    def _import(self) -> None:
        import_module(LIBRARY)
        self._imported.emit()

    @Slot()
    def _tell(self) -> None:
        # It has said so as its last act, so this is no wait.
        self._thread.join()
        self.ready.emit()


def _all_classes() -> Iterator[object]:
    for name in ITS_QT:
        module = import_module(f"PySide6.{name}")
        for each in dir(module):
            yield getattr(module, each)
