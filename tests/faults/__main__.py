"""Run the attacks in full: all points, or those named. Prints the table, and keeps it."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from tests.faults.table import Row, keep, table

POINTS = (
    "models",
    "text",
    "moments",
    "kills",
    "ends",
    "memory",
    "disk",
    "surroundings",
    "security",
    "examples",
    "soaking",
)
"""Each is a module beside this one, whose `rows()` makes the full attack."""


def main(arguments: list[str]) -> int:
    unknown = sorted(set(arguments) - set(POINTS))
    if unknown:
        print(f"There is no point “{unknown[0]}”; there are: {', '.join(POINTS)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("SLUICE_EXAMPLES", "random")
    rows: list[Row] = []
    for point in arguments or POINTS:
        rows += import_module(f"tests.faults.{point}").rows()
        keep(rows)
    print(table(rows))
    return 0 if all(row.held for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
