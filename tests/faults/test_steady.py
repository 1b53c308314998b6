"""The suite is run so often, in this way and in that, and what is red in one of the runs is told."""

from pathlib import Path

import pytest

from tests.faults import steady

STORY = """
import os

def test_is_green():
    pass

def test_tells_how_it_is_run():
    late, examples = (os.environ.get(f"SLUICE_{name}") for name in ("LATE_MS", "EXAMPLES"))
    assert late != "300", "it was late"
    assert examples == "same"
"""


@pytest.fixture
def what(tmp_path: Path) -> tuple[str, ...]:
    """Two tests, far from this suite's own settings."""
    (tmp_path / "test_story.py").write_text(STORY)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return "-c", str(tmp_path / "pytest.ini"), str(tmp_path / "test_story.py")


def test_every_second_run_is_beside_busy_programs(monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...]) -> None:
    monkeypatch.setenv("SLUICE_STEADY_TIMES", "2")
    found = steady.rows(what=what)
    assert [row.tried for row in found] == ["run 1, alone: 2 tests", "run 2, busy: 2 tests"]
    assert all(row.held for row in found)


def test_what_is_red_where_threads_are_put_off_is_told(monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...]) -> None:
    monkeypatch.setenv("SLUICE_STEADY_TIMES", "1")
    (found,) = steady.rows("late", what=what)
    assert found.tried == "run 1, late: 2 tests"
    assert [each.partition(":")[0] for each in found.lost] == ["tells how it is run"]
    assert "it was late" in found.lost[0]
