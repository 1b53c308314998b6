"""The table tells what was tried, what was lost, and what could not be tried here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faults import __main__ as program
from tests.faults import table
from tests.faults.table import Row


def test_what_was_lost_is_told_below() -> None:
    told = table.table([Row("models", "weights", 1_500), Row("disk", "full", 0, skipped="no tmpfs")])
    assert "| models | weights | 1,500 | 0 |" in told
    assert "| disk | full | not here: no tmpfs | 0 |" in told
    assert told.endswith("Nothing was lost.")
    assert table.table([Row("models", "weights", 2, ("seed 7: crashes",))]).endswith(
        "- models, weights: seed 7: crashes"
    )


def test_git_ignores_what_is_kept() -> None:
    project = Path(__file__).parents[2]
    command = ["git", "-c", "safe.directory=*", "check-ignore", "-q", str(table.FILE)]
    if not (project / ".git").exists():
        pytest.skip("this copy of the project is not a git repository")
    assert subprocess.run(command, cwd=project, check=False).returncode == 0


def test_an_unknown_point_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["moon"]) == 2
    assert "“moon”" in capsys.readouterr().err
