"""Soak: a random user for two hours, on the script and on the demo models in turns."""

from __future__ import annotations

import subprocess
import sys
import time

from tests.faults.soak.session import MINUTES, STEPS
from tests.faults.table import Row

POINT = "soak"
PATIENCE_S = 1800
"""No seed takes that long."""


def rows() -> list[Row]:
    """In full. Each seed has a process of its own, so that a crash is seen and told."""
    until, seed, lost = time.monotonic() + 60 * MINUTES["full"], 1, []
    while time.monotonic() < until:
        lost += _soaked(seed, real=seed % 2 == 0)
        seed += 1
    return [Row(POINT, f"a random user for {MINUTES['full']} minutes, seeds of {STEPS} steps", seed - 1, tuple(lost))]


def _soaked(seed: int, real: bool) -> list[str]:
    command = [sys.executable, "-m", "tests.faults.soak", "--seed", str(seed), *(["--real"] if real else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    sys.stdout.write(done.stdout)
    return [] if done.returncode == 0 else [f"{' '.join(command[1:])}: {done.stdout} {done.stderr}"]
