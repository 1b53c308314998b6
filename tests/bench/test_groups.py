"""Every group runs, in a short form, and every row that it promises is there. What it measures so is not looked at."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import __main__ as program
from tests.bench.promised import NAMES
from tests.bench.row import Row

PROJECT = Path(__file__).parents[2]
PATIENCE_S = 300


@pytest.mark.parametrize("group", NAMES)
def test_every_row_that_is_promised_is_there(group: str, tmp_path: Path, demo_model: Path, demo_draft: Path) -> None:
    file = tmp_path / "rows.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--group", group, str(file)],
        cwd=PROJECT,
        env=os.environ | {"SLUICE_BENCH_LENGTH": "short"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert tuple(row["name"] for row in json.loads(file.read_text("utf-8"))) == NAMES[group], done.stderr


def test_a_row_that_does_not_come_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    gain, *_ = NAMES["engine"]
    program.name_missing("engine", [Row(gain, 1.0, "x", 0.9, "higher")])
    missing = capsys.readouterr().err.splitlines()
    assert missing == [f"“{name}” is missing." for name in NAMES["engine"] if name != gain]
