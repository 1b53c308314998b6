"""Does what takes a while beside the window's thread, and brings the outcome back to it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

Outcome = TypeVar("Outcome")


class Aside(QObject):
    """`work` runs on a thread of its own and must not raise; `then` is called with its outcome on the window's."""

    _done = Signal(object, object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._threads: list[threading.Thread] = []
        self._done.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def do(self, work: Callable[[], Outcome], then: Callable[[Outcome], None]) -> None:
        """Begin at once; what is begun later may be done earlier."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=self._run, args=(work, then), name=self._name)
        self._threads.append(thread)
        thread.start()

    def close(self) -> None:
        """Wait for what goes on; nobody is told of it any more."""
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        QCoreApplication.removePostedEvents(self)

    def _run(self, work: Callable[[], Outcome], then: Callable[[Outcome], None]) -> None:
        self._done.emit(then, work())

    @Slot(object, object)
    def _tell(self, then: Callable[[Outcome], None], outcome: Outcome) -> None:
        then(outcome)
