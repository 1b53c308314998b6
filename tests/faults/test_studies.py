"""`sluice eval` killed at any moment: going on with --resume gives the table of an undisturbed run."""

import json
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.faults.full import times

pytestmark = pytest.mark.slow

KILLS = 3
"""A study is killed so often before it may end."""
ROWS = 60
COMMAND = (sys.executable, "-m", "app", "eval")


def _set(folder: Path) -> Path:
    """Prompts that the bundled model answers at some length."""
    file = folder / "set.jsonl"
    sums = [(row % 10, row // 10) for row in range(ROWS)]
    asked = [{"prompt": f"What is {one} + {other}?", "expected": str(one + other)} for one, other in sums]
    file.write_text("\n".join(map(json.dumps, asked)), "utf-8")
    return file


def _arguments(prompts: Path, data: Path) -> list[str]:
    arms = ("--variant", "cold", "--variant", "drawn=temperature=0.8,seed=4", "--together", "4", "--max-tokens", "24")
    return [*COMMAND, str(prompts), *arms, "--data-dir", str(data), "--resume", "--json"]


def _run(prompts: Path, data: Path) -> dict[str, Any]:
    done = subprocess.run(_arguments(prompts, data), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _kill(prompts: Path, data: Path, after_s: float) -> None:
    with subprocess.Popen(_arguments(prompts, data), stdout=subprocess.DEVNULL, start_new_session=True) as child:
        with suppress(subprocess.TimeoutExpired):
            child.wait(after_s)
        child.send_signal(signal.SIGKILL)


def _table(found: dict[str, Any]) -> dict[str, Any]:
    """What must be the same, whenever and however often it was asked."""
    said = ("row", "arm", "repeat", "right", "why", "reason", "tokens", "text")
    answers = [{key: each[key] for key in said} for each in found["answers"]]
    return {key: found[key] for key in ("rows", "arms", "pairs", "sentences", "complete")} | {"answers": answers}


def test_study_that_was_killed_and_resumed_has_the_table_of_an_undisturbed_one(tmp_path: Path) -> None:
    prompts = _set(tmp_path)
    started = time.monotonic()
    whole = _table(_run(prompts, tmp_path / "whole"))
    longest = time.monotonic() - started
    random = Random(0)
    for study in range(times(1, 10)):
        data = tmp_path / f"data {study}"
        for _ in range(times(2, KILLS)):
            _kill(prompts, data, random.uniform(0.2, 0.9) * longest)
        assert _table(_run(prompts, data)) == whole, study
