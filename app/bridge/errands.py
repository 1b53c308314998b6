"""Blocking work away from the window's thread: the network, a scan of the disk. Only the newest answer arrives."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.engine.types import Failure
from app.words import tr

Answer = TypeVar("Answer")


class Errands(QObject):
    """One errand of each kind counts: a newer one makes the older one's answer stale, and it is dropped."""

    _arrived = Signal(str, int, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers: dict[str, int] = {}
        self._waiting: dict[str, Callable[[object], None]] = {}
        self._wire = Wire()
        self._wire.connect(self._arrived.emit)
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(self, kind: str, work: Callable[[], Answer], then: Callable[[Answer | Failure], None]) -> None:
        """Have `work` done on a thread of its own, and its value brought to `then` on this one.

        What `work` raises becomes a Failure. It must hold no QObject: the thread could be the last to let go of it.
        """
        number = self._numbers.get(kind, 0) + 1
        self._numbers[kind] = number
        self._waiting[kind] = then  # type: ignore[assignment]
        arguments = (self._wire, kind, number, work)
        threading.Thread(target=_work, args=arguments, name=f"errand {kind}", daemon=True).start()

    def drop(self, kind: str) -> None:
        """Nobody waits for this any more."""
        self._waiting.pop(kind, None)

    def waiting(self, kind: str) -> bool:
        """Whether an answer of this kind is still to come."""
        return kind in self._waiting

    def close(self) -> None:
        """Nothing arrives from now on; a request that hangs is not waited for."""
        self._waiting.clear()
        self._wire.cut()

    @Slot(str, int, object)
    def _deliver(self, kind: str, number: int, answer: object) -> None:
        if number == self._numbers.get(kind) and kind in self._waiting:
            self._waiting.pop(kind)(answer)


class Wire:
    """What another thread holds of a QObject's signal: it can be cut, and keeps nothing alive then."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._emit: Callable[..., object] | None = None

    def connect(self, emit: Callable[..., object]) -> None:
        self._emit = emit

    def send(self, *values: object) -> None:
        """From any thread."""
        with self._lock:
            if self._emit is not None:
                self._emit(*values)

    def cut(self) -> None:
        with self._lock:
            self._emit = None


def _work(wire: Wire, kind: str, number: int, work: Callable[[], object]) -> None:
    try:
        answer = work()
    except Exception as error:
        details = "".join(traceback.format_exception(error))
        answer = Failure(tr("This could not be done."), tr("Try again."), details, type(error).__name__)
    wire.send(kind, number, answer)
