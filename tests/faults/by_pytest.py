"""Makes rows of a point's tests, where the short form is already the whole of it."""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tests.faults.table import Row

LONGEST = 300
EXAMPLE = "Failing test case: "
"""Where Hypothesis begins to tell the example that fails, and how to repeat it."""


def rows(point: str) -> list[Row]:
    """One for each test of `test_POINT.py`."""
    return run(point, str(Path(__file__).with_name(f"test_{point}.py")))


def run(point: str, *what: str) -> list[Row]:
    """One for each test that pytest finds with these arguments."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", *what, f"--junitxml={report}"]
        subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
        if not report.exists():
            return [Row(point, " ".join(what), 1, ("the tests ended their process",))]
        cases = ElementTree.parse(report).iter("testcase")
        return [_row(point, case) for case in cases]


def _row(point: str, case: ElementTree.Element) -> Row:
    name = case.attrib["name"].removeprefix("test_").replace("_", " ")
    lost = [_told(each) for kind in ("failure", "error") for each in case.findall(kind)]
    skipped = case.find("skipped")
    return Row(
        point,
        name,
        0 if skipped is not None else 1,
        tuple(lost),
        "" if skipped is None else skipped.attrib.get("message", "skipped"),
    )


def _told(failure: ElementTree.Element) -> str:
    """What was wrong, in short, and the whole of the example that shows it."""
    words = " ".join(failure.attrib.get("message", "").split())
    before, _, example = (failure.text or "").rpartition(EXAMPLE)
    if not before:
        return words[:LONGEST]
    lines = (line.removeprefix("E").strip() for line in example.splitlines())
    return f"{words.partition(EXAMPLE)[0][:LONGEST].strip()} {' '.join(filter(None, lines))}"
