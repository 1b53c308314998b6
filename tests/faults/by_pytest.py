"""Makes rows of a point's tests, where the short form is already the whole of it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tests.faults.table import Row

LONGEST = 300


def rows(point: str) -> list[Row]:
    """One for each test of `test_POINT.py`."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        tests = Path(__file__).with_name(f"test_{point}.py")
        command = [sys.executable, "-m", "pytest", "-q", str(tests), f"--junitxml={report}"]
        subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
        cases = ElementTree.parse(report).iter("testcase")
        return [_row(point, case) for case in cases]


def _row(point: str, case: ElementTree.Element) -> Row:
    name = case.attrib["name"].removeprefix("test_").replace("_", " ")
    lost = [each.attrib.get("message", "") for kind in ("failure", "error") for each in case.findall(kind)]
    skipped = case.find("skipped")
    return Row(
        point,
        name,
        0 if skipped is not None else 1,
        tuple(" ".join(message.split())[:LONGEST] for message in lost),
        "" if skipped is None else skipped.attrib.get("message", "skipped"),
    )
