"""The entry point of the scripts `sluice` and `sluice-lm` and of the frozen program."""

import sys

from app.platform.startup import begin


def main() -> int:
    begin(sys.argv[1:])
    from app.__main__ import main as run

    return run()
