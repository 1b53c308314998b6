"""What was seen on the way: the steps, how late the event loop came round, memory and handles between two lives."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from tests.bench.machine import Delays, Others, is_disturbed

BEAT_MS = 10
SLOW_MS = 250
TOLD = 10


@dataclass(frozen=True, slots=True)
class Holdings:
    """What the process has."""

    memory_kb: int
    threads: int
    handles: int


@dataclass(slots=True)
class Report:
    """Of one seed."""

    seed: int
    steps: list[str] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)
    disturbed: int = 0
    """Rounds that were late because others had the machine."""
    slow: list[str] = field(default_factory=list)
    lives: list[Holdings] = field(default_factory=list)
    broken: str = ""
    """What did not hold in the end, the steps before it, and how to have it again."""

    def told(self) -> str:
        """For the screen."""
        p99, worst = percentile(self.late_ms, 0.99), max(self.late_ms, default=0.0)
        head = f"seed {self.seed}: {len(self.steps)} steps, loop lag p99 {p99:.0f} ms, worst {worst:.0f} ms"
        lives = "; ".join(f"{each.memory_kb // 1000} MB {each.threads} {each.handles}" for each in self.lives)
        slow = [f"  {each}" for each in self.slow[-TOLD:]]
        return "\n".join([head, f"  memory, threads, handles: {lives}", *slow, *filter(None, [self.broken])])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))] if values else 0.0


def holdings() -> Holdings | None:
    """Where the system tells. What the C library has in store is given back first, and code that was read from files
    since the last time is no memory that grew."""
    status, handles = Path("/proc/self/status"), Path("/proc/self/fd")
    if not status.is_file():
        return None
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if give_back is not None:
        give_back(0)
    lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
    memory_kb = int(lines["RssAnon"].split()[0])
    return Holdings(memory_kb, threading.active_count(), len(list(handles.iterdir())))


class Beat(QObject):
    """How late a precise timer comes round, written into the report."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report
        self._delays = Delays(threading.get_native_id())
        self._others = Others()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._last, self._delayed, self._taken = 0.0, self._delays.seconds(), self._others.seconds()

    def start(self) -> None:
        self._note()
        self._timer.start(BEAT_MS)

    def stop(self) -> None:
        self._timer.stop()

    def _note(self) -> None:
        self._last, self._delayed, self._taken = time.perf_counter(), self._delays.seconds(), self._others.seconds()

    def _is_disturbed(self, late_ms: float) -> bool:
        """Whether this thread had to wait for a processor while others than this program had one.

        What the program's own threads do to each other is part of what it costs.
        """
        waited = is_disturbed(late_ms, self._delayed, self._delays.seconds())
        return waited and is_disturbed(late_ms, self._taken, self._others.seconds())

    @Slot()
    def _beat(self) -> None:
        late = max(0.0, (time.perf_counter() - self._last) * 1000 - BEAT_MS)
        if self._is_disturbed(late):
            self._report.disturbed += 1
        else:
            self._report.late_ms.append(late)
            if late > SLOW_MS and self._report.steps:
                self._report.slow.append(f"{late:.0f} ms after {self._report.steps[-1]}")
        self._note()
