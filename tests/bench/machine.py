"""What this machine tells about threads: time spent running, time kept from running."""

import os
import platform
from pathlib import Path

TASKS = Path("/proc/self/task")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
DISTURBANCE_MS = 1.0
DISTURBANCE_SHARE = 0.2
"""What was measured says more about the machine than about us if threads waited longer for a processor than this."""


class Delays:
    """How long some threads could have run and had no processor: others were using the machine."""

    def __init__(self, *threads: int) -> None:
        self._files: list[Path] = []
        for thread in threads:
            self.add(thread)

    def add(self, thread: int) -> None:
        """One that began later."""
        file = TASKS / str(thread) / "schedstat"
        if file.is_file():
            self._files.append(file)

    def seconds(self) -> float | None:
        """Since the threads began, all of them together; None where the system doesn't tell."""
        if not self._files:
            return None
        return sum(int(file.read_text().split()[1]) for file in self._files) / 1e9


def all_threads() -> tuple[int, ...]:
    """Of this process, where the system tells them."""
    return tuple(int(task.name) for task in TASKS.iterdir()) if TASKS.is_dir() else ()


def is_disturbed(milliseconds: float, delayed_before: float | None, delayed_after: float | None) -> bool:
    """Whether the machine had a hand in what took so long. A share, too, or only what was quick would be left."""
    if delayed_before is None or delayed_after is None:
        return False
    return 1000 * (delayed_after - delayed_before) > max(DISTURBANCE_MS, DISTURBANCE_SHARE * milliseconds)


def description() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
