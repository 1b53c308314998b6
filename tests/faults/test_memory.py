"""Short of memory a run is refused or ends with its text kept, and the program goes on with something smaller.

Each test has a child process of its own, `python -m tests.faults.low_memory`.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import models

pytestmark = pytest.mark.slow

PATIENCE_S = 300
CONTEXT = 700


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.tiny_llama(tmp_path_factory.mktemp("starved") / "model", max_position_embeddings=CONTEXT)


def starved(how: str, *folders: Path) -> dict[str, Any]:
    """Return what the child found."""
    command = [sys.executable, "-m", "tests.faults.low_memory", how, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr[-400:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_run_beyond_the_memory_limit_ends_with_its_text(model: Path) -> None:
    found = starved("limit", model)
    assert (found["reason"], found["kind"], found["opens"]) == ("error", "memory", True), found
    assert 0 < found["tokens"] < CONTEXT and found["text"], found


def test_model_beyond_the_memory_limit_is_refused_and_a_smaller_one_opens(demo_model: Path, demo_draft: Path) -> None:
    found = starved("smaller", demo_model, demo_draft)
    assert found == {"large": ["memory", "memory"], "small": True, "reason": "length", "tokens": 3}


def test_answer_without_a_limit_grows_its_cache_to_the_end_of_the_context(model: Path) -> None:
    found = starved("context", model)
    assert (found["reason"], found["opens"]) == ("context full", True) and found["text"] > 0, found


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's addresses")
def test_run_without_address_space_ends_with_an_error(model: Path) -> None:
    """Not even a thread's stack can be had."""
    found = starved("addresses", model)
    assert (found["reason"], found["opens"]) == ("error", True) and found["details"], found
