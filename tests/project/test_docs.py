import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli import arguments, experiment
from app.engine.types import Reason
from app.experiments.questions import EXPERIMENTS
from tests.project.documents import (
    PROJECT,
    Document,
    absent_paths,
    broken_links,
    documents,
    read,
    unknown_commands,
    unknown_keys,
    unknown_menu_items,
)

LONGEST_README_LINES = 130
DOCUMENTS = documents()


@pytest.mark.parametrize(
    "check",
    [broken_links, unknown_commands, absent_paths, unknown_keys, unknown_menu_items],
    ids=lambda each: each.__name__,
)
def test_documents_name_only_what_is_there(check: Callable[[Document], list[str]]) -> None:
    assert {str(each.path): found for each in DOCUMENTS if (found := check(each))} == {}


def test_readme_is_a_door() -> None:
    assert len(read(PROJECT / "README.md").text.splitlines()) <= LONGEST_README_LINES


def test_readme_leads_to_every_document() -> None:
    pages = [each.path.relative_to(PROJECT).as_posix() for each in DOCUMENTS if each.path.name != "README.md"]
    assert set(pages) <= set(read(PROJECT / "README.md").links)


def test_the_guide_s_switches_are_the_program_s(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments.parse(["--help"])
    assert switches_in(table_after("docs/guide.md", "## Command line")) == switches_in(capsys.readouterr().out)


def test_the_switches_of_experiments_are_the_command_s(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        experiment.parse(["--help"], ("mlx", "echo"), tmp_path)
    offered = switches_in(capsys.readouterr().out) - {"--help"}
    assert switches_in(table_after("docs/cli.md", "## Without a window")) == offered


def test_the_experiments_are_those_there_are() -> None:
    names = re.findall(r"^\| `([\w-]+)` \|", table_after("docs/experiments.md", "### The experiments"), re.MULTILINE)
    assert names == [each.name for each in EXPERIMENTS]


def test_guide_lists_every_finish_reason() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", table_after("docs/guide.md", "## A first answer"), re.MULTILINE)
    assert sorted(listed) == sorted(reason.words for reason in Reason)
    assert len(Reason) == 8, "docs/cli.md says eight"


@pytest.mark.slow
def test_the_example_does_what_it_says(demo_model: Path) -> None:
    (example,) = [block for document in DOCUMENTS for block in document.blocks("python")]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", example], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *_, last = done.stdout.splitlines()
    assert re.fullmatch(r"(stop|length), \d+ tokens, 0 of \d+ prompt tokens cached", last), done.stdout


def table_after(page: str, heading: str) -> str:
    """The first table below this heading."""
    _, below = read(PROJECT / page).text.split(f"{heading}\n")
    table = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    assert table
    return table[0]


def switches_in(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))
