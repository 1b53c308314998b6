import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from app.engine.jobs import Choice, ScoreChoices, ScoredChoices
from app.engine.types import Failure, RawPrompt
from tests.engine.mlx.conftest import Player

pytestmark = pytest.mark.slow

ROWS = 200 if "openblas" in os.environ.get("LD_PRELOAD", "") else 8
"""Without OpenBLAS a row takes half a minute: see packaging/linux/preload.sh."""
PARTS = 4
"""Each takes minutes."""
LARGEST_DIFFERENCE = 1e-3
"""In nats."""
NAMES = ["Anna", "Ben", "Clara", "David", "Emma", "Felix", "Grace", "Hugo"]
THINGS = ["boat", "lamp", "book", "kettle", "ladder", "violin", "tent", "basket"]


class Row(NamedTuple):
    prompt: str
    choices: list[str]


def rows() -> list[Row]:
    drawn, made = random.Random(7), list[Row]()
    for at in range(ROWS):
        first, second, third = drawn.sample(NAMES, 3)
        one, other, last = drawn.sample(THINGS, 3)
        left, right = drawn.randint(2, 60), drawn.randint(2, 60)
        kinds = (
            (f"Question: What is {left} + {right}?\nAnswer:", [str(left + right + more) for more in (0, 1, 10, -3)]),
            (f"{first} gave the {one} to {second}. The new owner of the {one} is", [second, first, third]),
            (f"A list: {one}, {other}.\nA. {last}\nB. {one}\nC. window\nAnswer:", ["A", "B", "C"]),
            (
                f"{first} went to the shop because",
                [f"the {one} broke.", f"{second} wanted a {other}."],
            ),
        )
        made.append(Row(*kinds[at % len(kinds)]))
    return made


def reference(folder: Path, asked: list[Row]) -> list[list[list[float]]]:
    python = os.environ.get("SLUICE_TORCH_PYTHON", sys.executable)
    if python == sys.executable and importlib.util.find_spec("torch") is None:
        pytest.skip("PyTorch is not installed; SLUICE_TORCH_PYTHON can name a Python that has it")
    script = Path(__file__).with_name("reference_scores.py")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    command = [python, str(script), str(folder)]
    answer = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, env=environment, check=True
    )
    found: list[list[list[float]]] = json.loads(answer.stdout)
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_log_likelihoods_equal_those_of_transformers(smol: Player, real_model: Path, part: int) -> None:
    size = ROWS // PARTS
    asked = rows()[part * size : (part + 1) * size]
    expected = reference(real_model, asked)
    found: list[ScoredChoices | Failure] = []
    choices = [[Choice(each, RawPrompt(row.prompt), f" {each}") for each in row.choices] for row in asked]
    smol.result(ScoreChoices(choices, found.append, unconditional=True))
    largest = 0.0
    for scored, theirs in zip(found, map(np.array, expected), strict=True):
        assert isinstance(scored, ScoredChoices)
        ours = np.array([(each.logprob, each.unconditional) for each in scored.scores])
        assert ours[:, 0].argmax() == theirs[:, 0].argmax()
        largest = max(largest, float(np.abs(ours - theirs).max()))
    print(f"{len(found)} rows, largest difference {largest:.1e} nats")  # noqa: T201
    assert largest <= LARGEST_DIFFERENCE
