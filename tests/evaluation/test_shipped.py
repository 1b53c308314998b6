"""The sets that come with the program: the evaluation's own prompts, answered by the bundled model as its card says."""

from collections.abc import Iterator
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Event, Failure, Limits, LoadRequest, Request, Sampling, Token
from app.evaluation.checks import judge
from app.evaluation.reading import SHIPPED, IncludedPromptSet, shipped_set
from app.evaluation.templates import expected_of, prompt_of
from app.evaluation.types import PromptSet
from app.experiments.significance import wilson

RESOURCES = Path(__file__).parents[2] / "resources"
CARD = {"sums": 0.98, "counting": 0.965, "copying": 0.967, "names": 1.0}
"""What the model's card tells; of copying it has no figure, all rows of the set gave this one."""
FEW = 15


@pytest.fixture(scope="module")
def engine() -> Iterator[MlxEngine]:
    engine = MlxEngine()
    engine.load(LoadRequest(str(RESOURCES / "models" / "demo")), lambda event: None, StopFlag())
    yield engine
    engine.unload()
    mx.clear_cache()


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: one.file)
def test_included_set_has_unique_rows_with_an_expected_value(one: IncludedPromptSet) -> None:
    prompts = opened(one)
    assert prompts.title == one.title
    assert 100 <= len(prompts.rows) == len({*prompts.rows}) <= 200
    assert all(expected_of(prompts.template, prompts.values(row)) for row in range(len(prompts.rows)))


@pytest.mark.slow
@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: one.file)
def test_included_set_answered_by_the_demo_model_has_the_rate_of_its_card(
    engine: MlxEngine, one: IncludedPromptSet
) -> None:
    prompts = opened(one)
    right = sum(is_right(engine, one, prompts, row) for row in range(FEW))
    low, high = wilson(right, FEW)
    assert low <= CARD[one.file] <= high, right


def opened(one: IncludedPromptSet) -> PromptSet:
    found = shipped_set(one, RESOURCES)
    assert not isinstance(found, Failure)
    return found[0]


def is_right(engine: MlxEngine, one: IncludedPromptSet, prompts: PromptSet, row: int) -> bool:
    values, events = prompts.values(row), list[Event]()
    request = Request(prompt_of(prompts.template, values), Sampling(temperature=0.0), Limits(120))
    finish = engine.generate(request, events.append, StopFlag())
    said = "".join(event.text for event in events if isinstance(event, Token))
    right, _ = judge(one.check, said, expected_of(prompts.template, values), finish.tokens, finish.reason)
    return right is True
