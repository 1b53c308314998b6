"""Figures of a look inside the model, from results made by hand."""

import math

import pytest

from app.engine.types import (
    AblationResult,
    Alternative,
    AnswerLogprob,
    Attention,
    ExactPrompt,
    Failure,
    Head,
    HeadKind,
    LayerPrediction,
    LensPosition,
    LensResult,
    PromptPart,
    PromptSpan,
)
from app.lessons.figures import measure_inspection
from app.lessons.inspection import MOST_LAYERS, token_at

PROMPT = ExactPrompt(
    "<s>A fox. A hen.",
    (1, 2, 3),
    ((0, 3), (3, 9), (9, 16)),
    (PromptSpan(PromptPart.TEMPLATE, 0, 3), PromptSpan(PromptPart.USER, 3, 16)),
)


def lens(*firsts: str, generated: str = "fox") -> LensResult:
    ids = {text: number for number, text in enumerate((*firsts, generated))}
    layers = tuple(LayerPrediction((Alternative(ids[text], text, -0.5, 0.0),), 1.0, math.log(0.25)) for text in firsts)
    return LensResult((LensPosition(0, ids[generated], generated, layers, layers[-1]),), 0.0)


def head(layer: int, number: int, kind: HeadKind, share: float, *weights: float) -> Head:
    return Head(layer, number, weights, kind, share, HeadKind.SPREAD, 0.5)


@pytest.mark.parametrize(("word", "token"), [("fox", 1), ("x.", 2), (" f", 1), ("hen", 0), ("", 0)])
def test_token_at_is_the_token_in_which_a_word_begins(word: str, token: int) -> None:
    assert token_at(word, ["A", " fo", "x", "."]) == token


def test_lens_figures_have_the_layer_from_which_the_token_stays_first() -> None:
    found = measure_inspection(("a.stays_from", "a.layers", "a.path", "a.probability"), lens("cat", "fox"), PROMPT)
    assert found == {"a.stays_from": 1, "a.layers": 2, "a.path": "0: “cat”, 1: “fox”", "a.probability": 0.25}
    never = measure_inspection(("a.stays_from",), lens("fox", "cat"), PROMPT)
    assert never == {}


def test_lens_path_of_a_deep_model_is_short_and_has_the_last_layer() -> None:
    path = measure_inspection(("a.path",), lens(*["cat"] * 31, "fox"), PROMPT)["a.path"]
    assert str(path).count(":") <= MOST_LAYERS + 1
    assert str(path).endswith("31: “fox”")


def test_attention_figures_are_of_the_induction_head_with_the_largest_share() -> None:
    heads = (
        head(0, 0, HeadKind.PREVIOUS, 0.9, 0.0, 0.9, 0.1),
        head(1, 0, HeadKind.INDUCTION, 0.5, 0.2, 0.5, 0.3),
        head(1, 2, HeadKind.INDUCTION, 0.8, 0.1, 0.1, 0.8),
    )
    names = ("a.heads", "a.induction_heads", "a.head", "a.head_share", "a.attended")
    assert list(measure_inspection(names, (PROMPT, Attention(2, heads, 0.0)), PROMPT).values()) == [
        *(3, 2, "L1 H2", 0.8),
        "␣A␣hen.",
    ]
    without = measure_inspection(names, (PROMPT, Attention(2, heads[:1], 0.0)), PROMPT)
    assert without == {"a.heads": 1, "a.induction_heads": 0}


def test_attribution_figures_are_of_the_users_own_parts() -> None:
    logprobs = [AnswerLogprob(each, ()) for each in (-9.0, -4.0, -2.0)]
    parts = (range(1), range(1, 2), range(2, 3))
    found = AblationResult(
        parts, AnswerLogprob(-1.0, ()), tuple(logprobs), logprobs[0], (), (2,), (1, 2), 0.0, True, 0.0
    )
    names = ("a.parts", "a.part", "a.effect", "a.removable")
    assert list(measure_inspection(names, (None, found), PROMPT).values()) == [3, "A fox.", 3.0, 1]


def test_failed_inspection_has_no_figures() -> None:
    assert measure_inspection(("a.layers",), Failure("No", "Try again."), PROMPT) == {}
