"""`python -m tests.faults.soak --seed S --steps N` repeats a soak; with `--minutes M`, seed after seed."""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time

from PySide6.QtWidgets import QApplication

from app.window.application import Application
from tests import conftest  # before Qt: the same surroundings as every test has
from tests.faults.soak.session import MINUTES, STEPS, soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.soak", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each seed")
    parser.add_argument(
        "--minutes", type=float, default=0, help=f"{MINUTES['nightly']} at night, {MINUTES['full']} in full"
    )
    parser.add_argument("--real", action="store_true", help="the demo models too, not only the script")
    parser.add_argument("--pause", type=int, default=120, help="longest rest between two steps, in ms")
    parser.add_argument("--aloud", action="store_true", help="say each step, for what ends without a word")
    given = parser.parse_args()
    conftest.keep_apart()
    faulthandler.enable()
    application = QApplication.instance() or Application([])
    until, seed, failed = time.monotonic() + 60 * given.minutes, given.seed, 0
    while seed == given.seed or time.monotonic() < until:
        told, broke = soak(seed, given.steps, given.real, given.pause, given.aloud)
        sys.stdout.write(f"{told}\n")
        sys.stdout.flush()
        failed += broke
        seed += 1
    del application
    conftest.pytest_unconfigure()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
