"""The window's measurements, part by part, and what the controls say of them.

SLUICE_BENCH_PAIRS sets how many clean pairs of segments the ratios are taken from, SLUICE_BENCH_PARTS names the only
parts to run.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.platform.startup import FOLDERS, PRELOAD, find_openblas
from tests.bench.lengths import SHORT
from tests.bench.row import Row

PATIENCE_S = 180
IDLE = "window.control.idle"
NAIVE = "window.control.naive"
RESTS_ON_CONTROLS = "window.throughput_ratio."
BUSY = "window.throughput_ratio.demo_busy"
"""Whose control is the naive window beside it, in the same minute."""


def rows() -> list[Row]:
    """All parts, or those that SLUICE_BENCH_PARTS names."""
    from tests.bench.window_parts import PARTS

    wanted = os.environ.get("SLUICE_BENCH_PARTS", " ".join(PARTS)).split()
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as bytecode:
        environment = _environment(bytecode)
        for parts in [wanted] if SHORT else [[part] for part in wanted]:
            print(f"window: {', '.join(parts)}…", file=sys.stderr, flush=True)
            found += _run(parts, environment)
    return controlled(found)


def controlled(found: Sequence[Row]) -> list[Row]:
    """Ratios say nothing in a run whose idle window costs something, or whose naive one costs nothing."""
    controls = {row.name: row for row in found if row.name in (IDLE, NAIVE)}
    failed = [name for name in (IDLE, NAIVE) if name not in controls or not controls[name].holds]
    if not failed:
        return list(found)
    why = f"void: {' and '.join(failed)} did not hold in this run"
    return [
        replace(row, value=None, detail={**row.detail, "void": why})
        if row.name.startswith(RESTS_ON_CONTROLS) and row.name != BUSY
        else row
        for row in found
    ]


def _run(parts: Sequence[str], environment: dict[str, str]) -> list[Row]:
    """In one process. What breaks or hangs says so and leaves the others alone."""
    names = ", ".join(parts)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "tests.bench.window_parts", str(file), *parts]
        try:
            subprocess.run(command, check=False, timeout=PATIENCE_S, env=environment)
        except subprocess.TimeoutExpired:
            print(f"window: {names} took longer than {PATIENCE_S} s", file=sys.stderr)
        if not file.exists():
            print(f"window: {names} broke off", file=sys.stderr)
            return []
        return [Row.of_json(content) for content in json.loads(file.read_text())]


def _environment(bytecode: str) -> dict[str, str]:
    """As the program runs from its second start on: compiled, and with the system's OpenBLAS."""
    environment = dict(os.environ)
    if not SHORT:  # to compile all that is imported takes longer than the rest of it
        environment["PYTHONPYCACHEPREFIX"] = bytecode
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
    library = find_openblas(FOLDERS) if sys.platform == "linux" else None
    return environment | ({PRELOAD: str(library)} if library is not None else {})
