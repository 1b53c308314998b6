"""The window's first moments and its last thing to do: the first paint, the imports behind it, and rest."""

import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from tests.bench.lengths import SHORT, length
from tests.bench.window_stage import Stage, live

STARTS = length(3, 1)
REST_S = length(10.0, 0.2)
SETTLING_S = length(3.0, 0.1)


@dataclass(frozen=True, slots=True)
class FirstPaint:
    """Milliseconds from the process's start; what had been imported by then, of what should not have been."""

    lazy_ms: float
    eager_ms: float
    imported: list[str]


def first_paint() -> FirstPaint:
    """As the program does it, and with everything imported first; by turns, a process each."""
    lazy: list[float] = []
    eager: list[float] = []
    imported: list[str] = []
    if not SHORT:
        _start("eager"), _start("lazy")  # these may have to compile what they import
    for start in range(STARTS):
        for kind in ("lazy", "eager") if start % 2 else ("eager", "lazy"):
            milliseconds, *names = _start(kind)
            (lazy if kind == "lazy" else eager).append(float(milliseconds))
            if kind == "lazy":
                imported += names
    return FirstPaint(statistics.median(lazy), statistics.median(eager), sorted(set(imported)))


def cpu_at_rest() -> float:
    """Percent of a core, of all threads together, with a model loaded and nothing to do."""
    stage = Stage()
    stage.open()
    live(SETTLING_S)
    used, began = time.process_time(), time.perf_counter()
    live(REST_S)
    used, took = time.process_time() - used, time.perf_counter() - began
    stage.close()
    return 100 * used / took


def _start(kind: str) -> list[str]:
    """What the process says of its first paint."""
    command = [sys.executable, "-m", "tests.bench.window_first_paint", kind, str(time.time())]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
