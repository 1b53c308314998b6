"""One seed in a folder of its own, and what is to be said of it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.faults.soak.drive import BrokenError, Soak

STEPS = 450
MINUTES = {"nightly": 10, "full": 120}
LAST_STEPS = 40


def soak(seed: int, steps: int, real: bool = False, pause_ms: int = 120, aloud: bool = False) -> tuple[str, bool]:
    """What was seen, and whether something broke: then with the steps before it, and how to have it again."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Soak(seed, Path(folder), real, pause_ms, aloud)
        try:
            made.run(steps)
        except BrokenError as error:
            done = len(made.report.steps)
            again = f"python -m tests.faults.soak --seed {seed} --steps {done}{' --real' * real} --pause {pause_ms}"
            last = made.report.steps[-LAST_STEPS:]
            return "\n".join([f"seed {seed} broke: {error}", *last, made.report.told(), again]), True
        return made.report.told(), False
