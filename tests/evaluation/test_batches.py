"""Rows that are read together write what each writes alone: what `may_batch` promises, on the bundled model."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import ChatPrompt, FormatKind, Limits, LoadRequest, Message, Model, OutputFormat, Role, Sampling
from app.evaluation.evaluation_run import may_batch, run_evaluation
from app.evaluation.types import Check, CheckKind, Evaluation, EvaluationOutcome, EvaluationVariant, PromptSet
from tests.engine.mlx.conftest import Player
from tests.evaluation.sums import ASKED, sums

TOPICS = ("a fox", "the sea", "a red kite", "two friends", "an old mill", "the moon", "a small boat", "rain")
WAYS = ("Tell me about {}.", "A story of {}, please.", "Who saw {}?", "Write of {} and a bird", "{}?", "Why {}?")
TALES = [(way.format(topic), "") for way in WAYS for topic in TOPICS][:32]
ROWS = [*TALES, *sums(32).rows]
SYSTEM = "You are a careful clerk who answers in one short sentence. " * 3
HELD = replace(
    ASKED, form=OutputFormat().put(FormatKind.REGEX, "[A-Z][a-z ]{5,40}[.]"), sampling=Sampling(temperature=0.8)
)


@pytest.fixture
def demo(demo_model: Path) -> Iterator[Player]:
    engine = MlxEngine()
    model = engine.load(LoadRequest(str(demo_model)), lambda event: None, StopFlag())
    assert isinstance(model, Model)
    yield Player(engine, model)
    engine.unload()


def both_ways(
    player: Player, arm: EvaluationVariant, system: str = "", rows: int = 64
) -> tuple[EvaluationOutcome, EvaluationOutcome]:
    assert may_batch(player.model, arm.request)
    template = replace(sums(1).template, system=system)
    prompts = PromptSet("both", ("prompt", "expected"), ROWS[:rows], template, "both")
    asked = Evaluation("both", prompts, template, (arm,), Check(CheckKind.NUMBER))
    alone, together = (
        run_evaluation(player.engine, replace(asked, together=count), player.model, StopFlag()) for count in (1, 16)
    )
    return alone, together


@pytest.mark.parametrize(
    ("temperature", "system", "rows"),
    [
        (0.8, "", 3),
        *(
            pytest.param(*each, 64, marks=pytest.mark.slow)
            for each in ((0.0, ""), (0.8, ""), (0.0, SYSTEM), (1.5, SYSTEM))
        ),
    ],
)
def test_batch_of_rows_gives_the_same_answers_as_single_rows(
    demo: Player, temperature: float, system: str, rows: int
) -> None:
    request = replace(ASKED, sampling=Sampling(temperature=temperature, seed=11), limits=Limits(16))
    alone, together = both_ways(demo, EvaluationVariant("one", request), system, rows)
    assert len(alone.answers) == rows and len({each.text for each in alone.answers}) > rows * 0.47
    _same(alone, together)


@pytest.mark.slow
def test_batch_with_penalties_or_an_output_format_gives_the_same_answers(demo: Player) -> None:
    penalised = replace(ASKED, sampling=Sampling(temperature=0.8, seed=3, repetition_penalty=1.3, top_k=20))
    begun = replace(ASKED, prompt=ChatPrompt((Message(Role.SYSTEM, SYSTEM),), reply_start="It"))
    for request in (penalised, HELD, begun):
        _same(*both_ways(demo, EvaluationVariant("one", request), SYSTEM, 20))


def _same(alone: EvaluationOutcome, together: EvaluationOutcome) -> None:
    for one, other in zip(alone.answers, together.answers, strict=True):
        assert (one.key, one.text, one.tokens, one.reason) == (other.key, other.text, other.tokens, other.reason)
