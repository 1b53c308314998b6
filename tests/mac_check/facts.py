"""What a step found: lines in the file that FACTS names, as `packaging/mac_check/facts.sh` writes them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

NOT_HERE = 3
LONGEST = 400
ON_A_MAC = os.environ.get("SYSTEM", "") == "Darwin" or (not os.environ.get("SYSTEM") and sys.platform == "darwin")
SHORT = bool(os.environ.get("SHORT"))
"""As the tests run it: everything once, in seconds."""


class NotHereError(Exception):
    """This machine has not what it takes."""


class Facts:
    """Figures, which nothing is held to, and what had to hold."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.failed = False

    def told(self, name: str, value: object, unit: str = "") -> None:
        self._line("told", name, f"{value:.4g}" if isinstance(value, float) else str(value), unit)

    def held(self, name: str, holds: bool, found: object = "", unit: str = "") -> None:
        self.failed |= not holds
        self._line("holds" if holds else "fails", name, str(found), unit)

    def _line(self, *parts: str) -> None:
        line = "\t".join(" ".join(part.split())[:LONGEST] for part in parts)
        sys.stdout.write(f"{line}\n")
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")


def step(work: Callable[[Facts], None]) -> int:
    """The exit code of a step; whatever it raises goes into its log."""
    named = os.environ.get("FACTS")
    facts = Facts(Path(named) if named else None)
    try:
        work(facts)
    except NotHereError as why:
        facts.told("not tried", why)
        return NOT_HERE
    return int(facts.failed)
