"""The point “boundaries”: each module of this folder has its `BOUNDARIES`, each of which is attacked for a minute.

`make faults POINTS=boundaries/sessions` attacks those of one module; `SLUICE_ATTACK_SECONDS` says for how long.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from app.engine.resident import resident_bytes
from tests.faults import table
from tests.faults.boundary import Boundary, Result
from tests.faults.boundary import table as boundary_table

POINT = "boundaries"
SECONDS = 60.0
GRACE_S = 180.0
"""For the window to open, for the last blow and for what is looked at after it."""
MOST_MB = 6_000
"""Whoever takes more is ended, so that the machine is not."""
FILE = table.FILE.with_name("boundaries.md")


def names() -> list[str]:
    """Of the modules."""
    here = Path(__file__).parent
    return sorted(file.stem for file in here.glob("*.py") if file.stem not in ("__init__", "__main__"))


def of(name: str) -> tuple[Boundary, ...]:
    found: tuple[Boundary, ...] = import_module(f"{__name__}.{name}").BOUNDARIES
    return found


def rows(*parts: str) -> list[table.Row]:
    """In full: each attack in a process of its own, so that one that ends its process is told as that."""
    seconds = float(os.environ.get("SLUICE_ATTACK_SECONDS", SECONDS))
    results: list[tuple[Boundary, Result]] = []
    for name in parts or names():
        for number, boundary in enumerate(of(name)):
            results.append((boundary, _apart(name, number, seconds)))
            print(f"{boundary.incoming}, {boundary.attack}: {results[-1][1].told()}", flush=True)
    told = boundary_table(results)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(told + "\n", encoding="utf-8")
    print(told)
    return [table.Row(POINT, f"{each.incoming}: {each.attack}", got.times, got.lost) for each, got in results]


def _apart(name: str, number: int, seconds: float) -> Result:
    command = [sys.executable, "-m", __name__, name, str(number), str(seconds)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said)
        lost = _watched(child, seconds + GRACE_S)
        said.seek(0)
        lines = said.read().splitlines()
    if not lost and child.returncode == 0 and lines:
        found = json.loads(lines[-1])
        return Result(**found | {"lost": tuple(found["lost"])})
    return Result(lost=(lost or f"the program ended with {child.returncode}",))


def _watched(child: subprocess.Popen[bytes], patience_s: float) -> str:
    """Why it was ended; empty if it ends by itself, in time and within bounds."""
    end = time.monotonic() + patience_s
    while True:
        try:
            child.wait(timeout=0.05)
            return ""
        except subprocess.TimeoutExpired:
            taken = resident_bytes(child.pid) / 1e6
        if taken > MOST_MB or time.monotonic() > end:
            child.kill()
            child.wait()
            return f"{taken:.0f} MB" if taken > MOST_MB else f"no end after {patience_s:.0f} s"
