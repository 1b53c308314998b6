"""Run the measurements: all groups, or those named. Each runs in a process of its own, so that none warms another."""

import json
import os
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from app.platform.startup import preload_blas
from tests.bench.promised import BARS
from tests.bench.row import Row, table

GROUPS = tuple(BARS)
RESULT = Path("bench.json")


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--group"]:
        return _measure(arguments[1], Path(arguments[2]))
    unknown = sorted(set(arguments) - set(GROUPS))
    if unknown:
        print(f"There is no group “{unknown[0]}”; there are: {', '.join(GROUPS)}.", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for group in arguments or GROUPS:
        found = _run(group)
        name_missing(group, found)
        rows += found
    print(table(rows))
    RESULT.write_text(json.dumps([row.as_json() for row in rows], indent=2, ensure_ascii=False) + "\n")
    return 0


def _run(group: str) -> list[Row]:
    """A group's rows; a group that breaks says so and leaves the others alone."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "tests.bench", "--group", group, str(file)]
        subprocess.run(command, check=False, env={"QT_QPA_PLATFORM": "offscreen", **os.environ})
        if not file.exists():
            print(f"The group “{group}” broke off.", file=sys.stderr)
            return []
        return [Row.of_json(content) for content in json.loads(file.read_text())]


def name_missing(group: str, rows: list[Row]) -> None:
    """What was promised and did not come."""
    for name in BARS[group]:
        if all(row.name != name for row in rows):
            print(f"“{name}” is missing.", file=sys.stderr)


def _measure(group: str, file: Path) -> int:
    preload_blas()  # what users get: it may start this process over, before anything has been loaded
    rows: list[Row] = import_module(f"tests.bench.{group}").rows()
    file.write_text(json.dumps([row.as_json() for row in rows]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
