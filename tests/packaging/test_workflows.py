"""The workflows: they are read as meant, run the project's own commands, and need no secret to be green."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (PROJECT / "Makefile").read_text("utf-8")
NEEDS_A_SECRET = re.compile(r"secrets\.[A-Z]")


@pytest.fixture(params=WORKFLOWS, ids=lambda file: file.name)
def workflow(request: pytest.FixtureRequest) -> dict[Any, Any]:
    read: dict[Any, Any] = yaml.safe_load(request.param.read_text("utf-8"))
    return read


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_there_are_three() -> None:
    assert [file.name for file in WORKFLOWS] == ["app.yml", "nightly.yml", "tests.yml"]


def test_every_command_of_ours_exists(workflow: dict[Any, Any]) -> None:
    commands = " ".join(step.get("run", "") for step in steps(workflow))
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"make ([a-z-]+)", commands)) <= targets
    for file in re.findall(r"((?:packaging|\.ci)/[\w/.]+)", commands):
        assert (PROJECT / file).exists(), file


def test_each_job_says_where_it_runs_and_each_step_what_it_does(workflow: dict[Any, Any]) -> None:
    assert all("runs-on" in job for job in workflow["jobs"].values())
    assert all(("uses" in step) != ("run" in step) for step in steps(workflow))
    assert workflow["permissions"] == {"contents": "read"}


def test_no_secret_is_needed(workflow: dict[Any, Any]) -> None:
    """A step that uses one is skipped where there is none."""
    for step in steps(workflow):
        if NEEDS_A_SECRET.search(str(step.get("env", "")) + step.get("run", "")):
            assert "env.HAS_CERTIFICATE == 'true'" in step["if"]
