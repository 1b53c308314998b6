"""Each group of measurements runs, in a short form, and gives every row that `bench.json` promises."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.promised import BARS
from tests.conftest import REAL_MODEL

PROJECT = Path(__file__).parents[2]
PATIENCE_S = 300


@pytest.mark.slow
@pytest.mark.parametrize("group", BARS)
def test_group_in_short_form_gives_every_promised_row(
    group: str, tmp_path: Path, demo_model: Path, demo_draft: Path
) -> None:
    if group in ("real", "lookup") and not REAL_MODEL.is_dir():
        pytest.skip("the real model isn't here: run make real-model")
    file = tmp_path / "rows.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", "--group", group, str(file)],
        cwd=PROJECT,
        env=os.environ | {"SLUICE_BENCH_LENGTH": "short", "SLUICE_BENCH_MODEL": str(REAL_MODEL)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert tuple(row["name"] for row in json.loads(file.read_text("utf-8"))) == tuple(BARS[group]), done.stderr
