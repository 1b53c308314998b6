"""`python -m tests.faults.soak --seed S --steps N` repeats a soak; with `--minutes M`, seed after seed."""

import argparse
import faulthandler
import sys
import time
from pathlib import Path

from app import language, words
from app.launch import keep_few_heaps
from tests import conftest  # before Qt: the same surroundings as every test has
from tests.faults.soak.lengths import MINUTES, STEPS

LANGUAGES = Path(__file__).parents[3] / "resources" / "languages"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each seed")
    parser.add_argument("--minutes", type=float, default=0, help=f"for how long; {MINUTES} at night")
    parser.add_argument("--real", action="store_true", help="the demo models too, not only the script")
    parser.add_argument("--language", choices=list(words.LANGUAGES), default=language.SOURCE, help="of the window")
    parser.add_argument("--pause", type=int, default=120, help="longest rest between two steps, in ms")
    parser.add_argument("--aloud", action="store_true", help="say each step, for what ends without a word")
    given = parser.parse_args()
    language.begin(given.language, LANGUAGES)
    conftest.keep_apart()
    keep_few_heaps()  # as the program does
    faulthandler.enable()
    try:
        return _soak(given)
    finally:
        conftest.pytest_unconfigure()


def _soak(given: argparse.Namespace) -> int:
    """The texts of the window are made when its modules are imported: in the language that was chosen."""
    from PySide6.QtWidgets import QApplication

    from app.ui.shell.application import Application
    from tests.faults.soak.session import soak
    from tests.faults.soak.verdict import Verdict

    application = QApplication.instance() or Application([])
    until, seed, verdict, broke = time.monotonic() + 60 * given.minutes, given.seed, Verdict(), False
    while not broke and (seed == given.seed or time.monotonic() < until):
        report, broke = soak(seed, given.steps, given.real, given.pause, given.aloud, given.language)
        verdict.add(report)
        sys.stdout.write(f"{report.told()}\n")
        sys.stdout.flush()
        seed += 1
    del application
    faults = verdict.faults() if given.minutes else []
    sys.stdout.write("\n".join([verdict.told(), *faults, ""]))
    return 1 if broke or faults else 0


if __name__ == "__main__":
    sys.exit(main())
