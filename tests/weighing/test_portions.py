"""Stretches, kinds and contexts of a text, by hand."""

import math

import pytest

from app.engine.types import ExactPrompt, Part, PromptSpan
from app.weighing.figures import STRETCH
from app.weighing.portions import Kind, by_context, by_kind, by_stretch, kinds


def exact(*tokens: str) -> ExactPrompt:
    text, offsets = "".join(tokens), list[tuple[int, int]]()
    for token in tokens:
        start = offsets[-1][1] if offsets else 0
        offsets.append((start, start + len(token)))
    spans = (PromptSpan(Part.USER, 0, len(text)),)
    return ExactPrompt(text, tuple(range(len(tokens))), tuple(offsets), spans, raw=True)


def test_what_a_token_is() -> None:
    prompt = exact("A", " fox", " 12", ",", "\n", "```\n", "x", " = 1", "\n```", "\n", "    y", "\n", "é", "…")
    named = dict(zip(range(len(prompt.ids)), kinds(prompt, range(len(prompt.ids))), strict=True))
    words, code = Kind.WORDS, Kind.CODE
    assert list(named.values()) == [
        *(words, words, Kind.DIGITS, Kind.PUNCTUATION, Kind.BLANKS),
        *(code, code, code, code, Kind.BLANKS, code, Kind.BLANKS, words, Kind.PUNCTUATION),
    ]


def test_kinds_have_their_own_means() -> None:
    prompt = exact("A", " fox", " 1", " 2", " sat")
    found = by_kind(prompt, (1, 2, 3, 4), (1.0, 5.0, 7.0, 3.0), (0.1, 0.2))
    assert [(each.name, each.start, each.tokens, each.nats_per_token) for each in found] == [
        ("words", 0, 2, 2.0),
        ("digits", 1, 2, 6.0),
    ]
    assert [each.kl_mean for each in found] == [0.1, 0.2]
    assert found[0].standard_error is None, "one stretch tells nothing of others"


def test_stretches_stand_in_their_order() -> None:
    nats = [1.0] * STRETCH + [2.0] * 6
    found = by_stretch(nats, ())
    assert [(each.name, each.start, each.tokens, each.nats_per_token, each.kl_mean) for each in found] == [
        (0, 0, STRETCH, 1.0, None),
        (1, STRETCH, 6, 2.0, None),
    ]


def test_contexts_are_told_by_doubling() -> None:
    before = (1, 15, 16, 31, 32, 64, 5)
    found = by_context(before, tuple(map(float, before)), ())
    assert [(each.name, each.tokens) for each in found] == [(0, 3), (16, 2), (32, 1), (64, 1)]
    assert found[0].nats_per_token == 7.0
    assert math.fsum(each.nats_per_token * each.tokens for each in found) == pytest.approx(sum(before))
