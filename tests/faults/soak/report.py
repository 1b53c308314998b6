"""What was seen on the way: the steps, how late the event loop came round, memory and handles between two lives."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Slot

BEAT_MS = 10
SLOW_MS = 250
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
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
    slow: list[str] = field(default_factory=list)
    lives: list[Holdings] = field(default_factory=list)

    def told(self) -> str:
        """For the screen."""
        late = sorted(self.late_ms) or [0.0]
        p99 = late[int(0.99 * (len(late) - 1))]
        head = f"seed {self.seed}: {len(self.steps)} steps, loop lag p99 {p99:.0f} ms, worst {late[-1]:.0f} ms"
        lives = "; ".join(f"{each.memory_kb // 1000} MB {each.threads} {each.handles}" for each in self.lives)
        return "\n".join([head, f"  memory, threads, handles: {lives}", *(f"  {each}" for each in self.slow[-TOLD:])])


def holdings() -> Holdings | None:
    """Where the system tells."""
    memory, handles = Path("/proc/self/statm"), Path("/proc/self/fd")
    if not memory.is_file():
        return None
    pages = int(memory.read_text(encoding="ascii").split()[1])
    return Holdings(pages * PAGE_KB, threading.active_count(), len(list(handles.iterdir())))


class Beat(QObject):
    """How late a precise timer comes round, written into the report."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self._last = time.perf_counter()
        self._timer.start(BEAT_MS)

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def _beat(self) -> None:
        now = time.perf_counter()
        late = max(0.0, (now - self._last) * 1000 - BEAT_MS)
        self._report.late_ms.append(late)
        if late > SLOW_MS and self._report.steps:
            self._report.slow.append(f"{late:.0f} ms after {self._report.steps[-1]}")
        self._last = now
