"""Print where the tests' time goes, from the junit report of a run: `python -m tests.durations build/tests.xml`."""

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

SHARED_FIXTURES = ("program", "desk", "everything", "demo_model", "tiny_llama", "hub", "samples")
SLOWEST = 15


class Timed(NamedTuple):
    """One test of the report."""

    name: str
    file: str
    wall_s: float
    processor_s: float
    children_s: float
    call_s: float
    fixtures: frozenset[str]

    @property
    def folder(self) -> str:
        parts = Path(self.file).parts[1:-1]
        return "/".join(parts[:2] if parts[:1] in (("ui",), ("engine",)) else parts[:1]) or "(root)"


def read(report: Path) -> list[Timed]:
    return [_timed(case) for case in ElementTree.parse(report).iter("testcase") if case.find("properties") is not None]


def _timed(case: ElementTree.Element) -> Timed:
    values = {found.get("name"): found.get("value", "") for found in case.iter("property")}
    return Timed(
        case.get("name", ""),
        values["file"],
        float(case.get("time", "0")),
        float(values["processor_s"]),
        float(values["children_s"]),
        float(values["call_s"]),
        frozenset(values["fixtures"].split()),
    )


def table(tests: Iterable[Timed]) -> str:
    """Return a Markdown table of the folders and of the fixtures that cost much, the most expensive first."""
    by_folder, by_fixture = defaultdict(list), defaultdict(list)
    for test in tests:
        by_folder[test.folder].append(test)
        for fixture in test.fixtures.intersection(SHARED_FIXTURES):
            by_fixture[f"fixture `{fixture}`"].append(test)
    rows = ["| tests | n | wall s | processor s | of child processes s |", "| --- | ---: | ---: | ---: | ---: |"]
    rows.append(_row("all", [test for folder in by_folder.values() for test in folder]))
    return "\n".join([*rows, *_rows(by_folder), *_rows(by_fixture)])


def _rows(groups: Mapping[str, list[Timed]]) -> list[str]:
    return [_row(name, tests) for name, tests in sorted(groups.items(), key=lambda group: -_processor_s(group[1]))]


def _row(name: str, tests: list[Timed]) -> str:
    wall_s, children_s = sum(test.wall_s for test in tests), sum(test.children_s for test in tests)
    return f"| {name} | {len(tests)} | {wall_s:.0f} | {_processor_s(tests):.0f} | {children_s:.0f} |"


def _processor_s(tests: Iterable[Timed]) -> float:
    return sum(test.processor_s + test.children_s for test in tests)


def main(arguments: list[str]) -> None:
    tests = read(Path(arguments[0]))
    print(table(tests))
    print()
    for test in sorted(tests, key=lambda test: -test.call_s)[:SLOWEST]:
        print(f"{test.call_s:6.2f} s  {test.file}::{test.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
