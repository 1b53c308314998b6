"""One seed in a folder of its own, and what is to be said of it."""

import tempfile
from pathlib import Path

from app.language import SOURCE
from tests.faults.soak.drive import BrokenError, Soak
from tests.faults.soak.report import Report

LAST_STEPS = 40


def soak(
    seed: int, steps: int, real: bool = False, pause_ms: int = 120, aloud: bool = False, language: str = SOURCE
) -> tuple[Report, bool]:
    """What was seen, and whether something broke."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Soak(seed, Path(folder), real, pause_ms, aloud)
        report = made.report
        try:
            made.run(steps)
        except BrokenError as error:
            switches = f"{' --real' * real} --language {language} --pause {pause_ms}"
            again = f"python -m tests.faults.soak --seed {seed} --steps {len(report.steps)}{switches}"
            report.broken = "\n".join([f"seed {seed} broke: {error}", *report.steps[-LAST_STEPS:], again])
        return report, bool(report.broken)
