"""What is said of many seeds in one process: how late the event loop came round, and whether anything grew."""

from dataclasses import dataclass, field

from tests.faults.soak.holdings import Holdings
from tests.faults.soak.report import Report, percentile

LATE_MS = 50
FLAT_KB, FLAT_SHARE = 20_000, 0.1
"""What may be given out and not got back more than before: by the C library, and of Python's pieces.

The libraries leave 57 kB behind with each load of a model, and a random user opens some hundred.
"""
WARM_LIVES = 12
"""As many times the window is opened until fonts, caches of pictures and MLX's buffers are as large as they become."""


@dataclass(slots=True)
class Verdict:
    """Of all the seeds so far."""

    late_ms: list[float] = field(default_factory=list)
    disturbed: int = 0
    lives: list[Holdings] = field(default_factory=list)

    def add(self, report: Report) -> None:
        self.late_ms += report.late_ms
        self.disturbed += report.disturbed
        self.lives += report.lives

    @property
    def late(self) -> float:
        """At most so late in 99 of 100 rounds."""
        return percentile(self.late_ms, 0.99)

    def faults(self) -> list[str]:
        faults = [f"the event loop is late: p99 {self.late:.0f} ms, at most {LATE_MS}"] if self.late > LATE_MS else []
        warm = self.lives[WARM_LIVES:]
        if len(warm) < 2:
            return faults
        first, last = warm[0], warm[-1]
        if (first.threads, first.handles) != (last.threads, last.handles):
            faults.append(f"threads or handles stayed behind: {first} became {last}")
        if last.in_use_kb - first.in_use_kb > FLAT_KB or last.blocks > (1 + FLAT_SHARE) * first.blocks:
            faults.append(f"memory grew: {first} became {last}")
        return faults

    def told(self) -> str:
        """For the screen."""
        rounds = f"{len(self.late_ms):,} rounds of the event loop, p99 {self.late:.0f} ms late"
        left_out = f"{self.disturbed:,} left out because others had the machine"
        lives = ", ".join(f"{each.in_use_kb // 1000} of {each.memory_kb // 1000}" for each in self.lives)
        return f"all: {rounds}, {left_out}; MB in use between two windows: {lives}"
