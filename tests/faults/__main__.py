"""Run the attacks in full: all points, or those named. Prints the table, and keeps it."""

import os
import sys
from importlib import import_module

from tests.faults.table import Row, keep, table

POINTS = (
    *("models", "text", "moments", "kills", "ends", "memory", "disk", "surroundings"),
    *("quantising", "returning", "saving", "security", "boundaries", "examples", "verdicts"),
    *("set_verdicts", "studies", "soaking", "steady"),
)
"""Each is a module beside this one, whose `rows()` makes the full attack; “boundaries/sessions” is one part of one."""


def main(arguments: list[str]) -> int:
    unknown = sorted({each.partition("/")[0] for each in arguments} - set(POINTS))
    if unknown:
        print(f"There is no point “{unknown[0]}”; there are: {', '.join(POINTS)}.", file=sys.stderr)
        return 2
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("SLUICE_EXAMPLES", "random")
    rows: list[Row] = []
    for each in arguments or POINTS:
        point, *parts = each.split("/")
        rows += import_module(f"tests.faults.{point}").rows(*parts)
        keep(rows)
    print(table(rows))
    return 0 if all(row.held for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
