"""What the window bears: how long its loop stands still, and how much more memory the process takes."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from tests.bench.machine import Delays, Others, all_threads

TICK_MS = 10
MOST = 0.01
"""In so many of all moments somebody may wait longer than the lag that is told."""
STATUS = Path("/proc/self/status")
FORGET_PEAK = Path("/proc/self/clear_refs")


class Strain(QObject):
    """Measures between `with` and its end; a blow that never lets the loop run counts as one long standstill."""

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._last = 0.0
        self._others = Others()
        self._taken = 0.0
        self._waited: dict[int, float] = {}
        self._before = 0.0
        self._gaps_ms: list[float] = []
        self.grown_mb = 0.0
        """At the worst moment."""

    @property
    def lag_ms(self) -> float:
        """Whoever comes at any moment waits no longer than this, but for one of a hundred."""
        return waiting_ms(self._gaps_ms)

    @property
    def longest_ms(self) -> float:
        return max(self._gaps_ms, default=0.0)

    def __enter__(self) -> Strain:
        self._before = _resident_mb()
        if FORGET_PEAK.exists():
            FORGET_PEAK.write_text("5", encoding="ascii")
        self._excuse_ms()
        self._last = time.monotonic()
        self._timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._tick()
        self._timer.stop()
        self.grown_mb = max(0.0, _peak_mb() - self._before)

    @Slot()
    def _tick(self) -> None:
        late_ms = 1000 * (time.monotonic() - self._last) - TICK_MS
        self._gaps_ms.append(max(0.0, late_ms - self._excuse_ms()))
        self._last = time.monotonic()

    def _excuse_ms(self) -> float:
        """How long a thread of ours had no processor since the last time, while other programs had one."""
        waited = {thread: _waited_s(thread) for thread in all_threads()}
        taken = self._others.seconds() or 0.0
        longest = max((each - self._waited.get(thread, each) for thread, each in waited.items()), default=0.0)
        had = taken - self._taken
        self._waited, self._taken = waited, taken
        return 1000 * max(0.0, min(longest, had))


def waiting_ms(gaps_ms: Sequence[float], most: float = MOST) -> float:
    """The wait that is longer in `most` of all moments: a gap counts by its length, or 8 s would be one among many."""
    total = sum(gap + TICK_MS for gap in gaps_ms)
    low, high = 0.0, max(gaps_ms, default=0.0)
    while high - low > 0.1:
        middle = (low + high) / 2
        if sum(max(0.0, gap - middle) for gap in gaps_ms) > most * total:
            low = middle
        else:
            high = middle
    return high


def _waited_s(thread: int) -> float:
    """For a processor; nothing of one that has ended."""
    try:
        return Delays(thread).seconds() or 0.0
    except OSError:
        return 0.0


def _resident_mb() -> float:
    return _status_mb("VmRSS") if STATUS.exists() else _peak_mb()


def _peak_mb() -> float:
    """Since the last time that it was forgotten, where the system can forget it."""
    if STATUS.exists():
        return _status_mb("VmHWM")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def _status_mb(name: str) -> float:
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))
