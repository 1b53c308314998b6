"""What was seen on the way: the steps, how late the event loop came round, what was held between two lives."""

import threading
import time
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from tests.bench.machine import Delays, Others, is_disturbed
from tests.faults.soak.holdings import Holdings

BEAT_MS = 10
SLOW_MS = 250
TOLD = 10


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
        lives = "; ".join(
            f"{each.memory_kb // 1000} MB ({each.in_use_kb // 1000} in use) {each.threads} {each.handles}"
            for each in self.lives
        )
        slow = [f"  {each}" for each in self.slow[-TOLD:]]
        return "\n".join([head, f"  MB in use, threads, handles: {lives}", *slow, *filter(None, [self.broken])])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))] if values else 0.0


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
