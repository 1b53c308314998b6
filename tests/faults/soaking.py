"""Soak: a random user for two hours, on the script and on the demo models, in each language in turns."""

import subprocess
import sys

from app.words import LANGUAGES
from tests.faults.soak.lengths import MINUTES, PROCESSES, STEPS
from tests.faults.table import Row

POINT = "soak"
SEEDS_OF_A_PROCESS = 1000
PATIENCE_S = 60 * MINUTES + 600
"""The last seed of a process is let come to its end."""


def rows() -> list[Row]:
    """In full. A language is chosen at the start of the program, so each process has one."""
    lost = [told for number in range(PROCESSES) if (told := _lost(number))]
    what = f"a random user, {MINUTES} minutes each, seeds of {STEPS} steps"
    return [Row(POINT, what, PROCESSES, tuple(lost))]


def _lost(number: int) -> str:
    language = list(LANGUAGES)[number % len(LANGUAGES)]
    real = ["--real"] if number // len(LANGUAGES) % 2 else []
    switches = ["--minutes", str(MINUTES), "--seed", str(number * SEEDS_OF_A_PROCESS), "--language", language, *real]
    command = [sys.executable, "-m", "tests.faults.soak", *switches]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    sys.stdout.write(done.stdout)
    return "" if done.returncode == 0 else f"{' '.join(command[1:])}: {done.stdout} {done.stderr}"
