"""Run the fast tests many times in a row: every second run beside busy programs, or all of them with late threads.

`python -m tests.steady --times 20`. It ends with 1 after the first red run, whose output is in `build/steady/`.
Other arguments are pytest's.
"""

import argparse
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

from tests.busy import busy

PROJECT = Path(__file__).parent.parent
OUTPUT = PROJECT / "build" / "steady"
LOG = OUTPUT / "runs.log"
AS_IN_MAKE_TEST = (
    "--numprocesses",
    "3",
    "--dist",
    "loadfile",
    "--no-loadscope-reorder",
    "--max-worker-restart",
    "0",
    "-m",
    "not slow",
)


def run(number: int, is_busy: bool, late_ms: int, tests: list[str], log: Path) -> bool:
    """Run the tests once, append a line to the log, and return whether they passed."""
    started = datetime.now()
    output = OUTPUT / f"{started:%Y%m%d-%H%M%S}.txt"
    environment = os.environ | {"SLUICE_LATE_MS": str(late_ms), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "-m", "pytest", *AS_IN_MAKE_TEST, *tests]
    began = time.monotonic()
    with output.open("wb") as file, busy(os.cpu_count() or 1) if is_busy else nullcontext():
        code = subprocess.run(command, cwd=PROJECT, env=environment, stdout=file, stderr=subprocess.STDOUT).returncode
    wall_s = time.monotonic() - began
    lines = output.read_text("utf-8", "replace").split("\n")
    last_line = next((line.strip("= ") for line in reversed(lines) if line.strip()), "no output")
    how = "busy" if is_busy else f"late {late_ms} ms" if late_ms else "quiet"
    result = "green" if code == 0 else f"red ({code})"
    line = "\t".join((commit(), f"{started:%Y-%m-%d %H:%M:%S}", f"{wall_s:.0f} s", result, how, last_line))
    with log.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    print(f"{number}\t{line}", flush=True)
    if code:
        print(f"Red: see {output}", flush=True)
    return code == 0


def commit() -> str:
    """Return the commit that is tested, with a "+" where the working tree differs from it."""
    described = ("git", "describe", "--always", "--dirty=+", "--exclude=*", "--abbrev=10")
    return subprocess.run(described, cwd=PROJECT, capture_output=True, text=True).stdout.strip() or "no commit"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.steady", description=__doc__, allow_abbrev=False)
    parser.add_argument("--times", type=int, default=20, help="number of runs (20)")
    parser.add_argument("--log", type=Path, default=LOG, help="file that gets one line for each run")
    parser.add_argument("--late", type=int, default=0, metavar="MS", help="delay threads at random, up to MS")
    parser.add_argument("--busy", action="store_true", help="run all of them beside busy programs")
    options, tests = parser.parse_known_args(arguments)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    options.log.parent.mkdir(parents=True, exist_ok=True)
    for number in range(1, options.times + 1):
        is_busy = options.busy or (not options.late and number % 2 == 0)
        if not run(number, is_busy, options.late, tests, options.log):
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
