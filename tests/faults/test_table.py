"""The table tells what was tried, what was lost, and what could not be tried here."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.examples import at_most
from tests.faults import __main__ as program
from tests.faults import by_pytest, examples, table
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


def test_the_attacks_make_up_other_examples_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def rows() -> list[Row]:
        seen.append(os.environ["SLUICE_EXAMPLES"])
        return []

    monkeypatch.setattr(program, "POINTS", ("stub",))
    monkeypatch.setattr(program, "keep", lambda rows: None)
    monkeypatch.setitem(sys.modules, "tests.faults.stub", SimpleNamespace(rows=rows))
    monkeypatch.setenv("SLUICE_EXAMPLES", "")  # so that it is put back
    monkeypatch.delenv("SLUICE_EXAMPLES")
    assert program.main([]) == 0
    assert seen == ["random"]


MADE_UP = """
from hypothesis import given, settings
from hypothesis import strategies as st

@given(st.integers())
@settings(print_blob=True, database=None)
def test_small(number):
    assert number < 7, "too large"

def test_plain():
    assert 1 == 2
"""


def test_an_example_that_fails_is_told_whole(tmp_path: Path) -> None:
    (tmp_path / "test_made_up.py").write_text(MADE_UP, encoding="utf-8")
    small, plain = by_pytest.run("examples", "-p", "no:cacheprovider", str(tmp_path))
    assert small.lost[0].startswith("AssertionError: too large")
    assert "test_small( number=7, )" in small.lost[0] and "@reproduce_failure(" in small.lost[0]
    assert plain.lost == ("assert 1 == 2",)


def test_a_family_goes_on_until_something_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[str] = []

    def run(point: str, *what: str) -> list[Row]:
        counts.append(os.environ["SLUICE_EXAMPLES_COUNT"])
        return [Row(point, "one", 1, ("broke",) if len(counts) == 3 else ())]

    monkeypatch.setattr(by_pytest, "run", run)
    monkeypatch.setenv("SLUICE_EXAMPLES_MINUTES", "1")
    assert examples.family("settings").lost == ("one: broke",)
    assert counts == ["5000"] * 3
    monkeypatch.setenv("SLUICE_EXAMPLES_MINUTES", "0")
    assert examples.family("settings").times == 1
    assert all((Path(__file__).parents[2] / file).is_file() for file in examples.FAMILIES.values())


def test_a_family_has_as_many_examples_as_it_says() -> None:
    """A number of its own would hold there, too: `tests.examples.at_most` has one for `make test` alone."""
    assert [
        file
        for file in examples.FAMILIES.values()
        if "max_examples" in (Path(__file__).parents[2] / file).read_text("utf-8")
    ] == []


def test_so_many_are_made_up_where_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLUICE_EXAMPLES_COUNT", raising=False)
    assert at_most(15).max_examples == 15
    monkeypatch.setenv("SLUICE_EXAMPLES_COUNT", "5000")
    assert (at_most(15).max_examples, at_most(400).max_examples) == (300, 5_000)


def test_tests_that_end_their_process_are_lost(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import os\n\n\ndef test_it():\n    os._exit(3)\n")
    (row,) = by_pytest.run("x", "-p", "no:cacheprovider", str(tmp_path / "test_it.py"))
    assert row.lost == ("the tests ended their process",)
