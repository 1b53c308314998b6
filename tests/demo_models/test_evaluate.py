"""The small form of the evaluation: the bundled pair on prompts that are not in the corpus.

Samples are small here so that all of it takes under a minute on a CPU; the bars are those of the full form, less what
chance may take from a sample of this size. `packaging/demo_models/evaluate.py` measures the full form.
"""

import json
from pathlib import Path

import pytest

import evaluate
from pair import Pair

pytestmark = pytest.mark.slow

MODELS = Path(__file__).parents[2] / "resources" / "models"

# The least share of a small sample that still speaks for the bar of the full form.
FLOORS = {
    "counting": 0.85,
    "sums": 0.65,
    "memory": 0.7,
    "ending": 0.9,
    "running_on": 0.6,
    "acceptance": 0.5,
    "stories": 1.0,
}


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(MODELS / "demo", MODELS / "demo-draft")


@pytest.mark.parametrize(
    ("measure", "size"),
    [pytest.param(measure, small, id=measure.__name__) for measure, _, small in evaluate.MEASURES],
)
def test_demo_pair_reaches_its_bar(pair: Pair, measure: evaluate.Measure, size: int) -> None:
    bar = measure(pair, size)
    assert bar.share >= FLOORS[measure.__name__], bar.failures


def test_first_prompts_end_by_stop_length_and_stop(pair: Pair) -> None:
    prompts = json.loads((MODELS / "demo" / "first_prompts.json").read_text(encoding="utf-8"))
    stop, limit, parts = (
        pair.reply((pair.ask if prompt["mode"] == "chat" else pair.raw)(prompt["prompt"]), prompt["max_tokens"])
        for prompt in prompts
    )
    assert (stop.finish, limit.finish, parts.finish) == ("stop", "length", "stop")
    assert parts.tokens > 2 * len(parts.text)


def test_count_stops_in_chat_and_reaches_the_limit_raw(pair: Pair) -> None:
    chat = pair.reply(pair.ask("Count 1 to 5"), 60)
    raw = pair.reply(pair.raw("Count 1 to 5"), 60)
    assert (chat.text, chat.finish) == ("1, 2, 3, 4, 5", "stop")
    assert raw.finish == "length"


def test_demo_model_reasons_only_when_asked(pair: Pair) -> None:
    told = pair.reply(pair.ask("What is 3 + 4?", system="Think first."), 100)
    untold = pair.reply(pair.ask("What is 3 + 4?"), 100)
    assert told.text.startswith("<think>")
    assert told.text.count("</think>") == 1
    assert "<think>" not in untold.text


def test_draft_model_changes_no_text(pair: Pair) -> None:
    prompt = pair.ask("Count from 3 to 12.")
    alone, helped = pair.reply(prompt, 80), pair.reply(prompt, 80, drafts=evaluate.DRAFT_TOKENS)
    assert (alone.text, alone.finish) == (helped.text, helped.finish)
    assert helped.drafted > 0
