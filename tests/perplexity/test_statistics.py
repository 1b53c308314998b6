"""Means, errors and portions of a text, by hand and by simulation; the tokens of a text that count."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.types import ExactPrompt, PromptPart, PromptSpan, TokenDifference
from app.perplexity.source import passage, windows
from app.perplexity.statistics import (
    STRETCH,
    TokenKind,
    by_context,
    by_kind,
    by_stretch,
    kinds,
    margin,
    model_difference,
    perplexity_metrics,
)


def test_perplexity_metrics_of_two_tokens_equal_the_formulas() -> None:
    found = perplexity_metrics([math.log(2), math.log(8)], 4)
    assert found.nats_per_token == pytest.approx(math.log(4))
    assert found.perplexity == pytest.approx(4)
    assert found.bits_per_byte == pytest.approx(1)
    assert found.standard_error is None


def test_perplexity_of_an_impossible_text_is_infinite() -> None:
    assert perplexity_metrics([1e4, 1e4], 2).perplexity == math.inf


def test_model_difference_with_bounds_only_has_no_reverse_kl() -> None:
    found = model_difference(
        [TokenDifference(0.1, 0.3, None, None, True, 0.5), TokenDifference(0.3, 0.5, 0.1, 0.1, False, 1.0)]
    )
    assert list(found.kl_bounds) == pytest.approx([0.2, 0.4])
    assert (found.kl_back, found.jensen_shannon) == (None, None)
    assert (found.same_first, found.same_ten) == (0.5, 0.75)


def test_margin_of_few_blocks_equals_student_t() -> None:
    assert margin(1.0, 8 * STRETCH) == pytest.approx(2.365, abs=2e-3)
    assert margin(1.0, 4 * STRETCH) == pytest.approx(3.182, abs=0.05)
    assert margin(1.0, 10**6) == pytest.approx(1.960, abs=1e-3)


def test_model_difference_of_one_text_has_the_mean_and_its_standard_error() -> None:
    same = TokenDifference(0.0, 0.0, 0.0, 0.0, True, 1.0)
    found = model_difference([same] * (2 * STRETCH), [1.0] * STRETCH + [3.0] * STRETCH)
    assert found.own_difference == 2.0
    assert found.own_difference_standard_error == pytest.approx(1.0)
    assert found.kl_back_standard_error == 0.0


def exact(*tokens: tuple[str, PromptPart], raw: bool = False) -> ExactPrompt:
    """Each token is a stretch of its own."""
    spans, offsets, at = [], [], 0
    for text, part in tokens:
        offsets.append((at, at + len(text)))
        spans.append(PromptSpan(part, at, at + len(text)))
        at += len(text)
    return ExactPrompt(
        "".join(text for text, _ in tokens), tuple(range(len(tokens))), tuple(offsets), tuple(spans), raw=raw
    )


def test_passage_of_raw_text_counts_all_tokens_but_the_first() -> None:
    found = passage(exact(("Ünd", PromptPart.USER), (" so", PromptPart.USER), (" weiter", PromptPart.USER), raw=True))
    assert (found.counted, found.bytes) == ((1, 2), 10)


def test_passage_with_a_special_token_first_counts_the_tokens_after_it() -> None:
    found = passage(exact(("<s>", PromptPart.SPECIAL), ("Ünd", PromptPart.USER), raw=True))
    assert (found.counted, found.bytes) == ((1,), 4)


def test_passage_of_a_conversation_counts_the_answers_only() -> None:
    asked = exact(
        ("<u>", PromptPart.TEMPLATE),
        ("Hi", PromptPart.USER),
        ("<a>", PromptPart.TEMPLATE),
        ("Ho", PromptPart.MODEL),
        ("!", PromptPart.MODEL),
    )
    found = passage(asked)
    assert (found.counted, found.bytes) == ((3, 4), 3)


def test_passage_with_a_character_of_several_tokens_counts_its_bytes_once() -> None:
    prompt = ExactPrompt(
        "a🌊", (1, 2, 3, 4), ((0, 1), (1, 2), (1, 2), (1, 2)), (PromptSpan(PromptPart.USER, 0, 2),), raw=True
    )
    assert (passage(prompt).counted, passage(prompt).bytes) == ((1, 2, 3), 4)


@given(st.integers(1, 3_000), st.integers(2, 700))
def test_windows_of_a_long_text_score_each_token_once_after_half_a_context(length: int, context: int) -> None:
    parts = windows(length, context)
    fresh = [position for part in parts for position in range(part.fresh, part.end)]
    assert fresh == list(range(length))
    assert all(part.end - part.start <= context for part in parts)
    assert all(part.fresh - part.start >= (context + 1) // 2 for part in parts[1:])


def test_windows_without_a_context_length_are_one() -> None:
    assert len(windows(1_000_000, None)) == 1


def page(*tokens: str) -> ExactPrompt:
    text, offsets = "".join(tokens), list[tuple[int, int]]()
    for token in tokens:
        start = offsets[-1][1] if offsets else 0
        offsets.append((start, start + len(token)))
    spans = (PromptSpan(PromptPart.USER, 0, len(text)),)
    return ExactPrompt(text, tuple(range(len(tokens))), tuple(offsets), spans, raw=True)


def test_kinds_of_tokens_are_words_digits_punctuation_whitespace_and_code() -> None:
    prompt = page("A", " fox", " 12", ",", "\n", "```\n", "x", " = 1", "\n```", "\n", "    y", "\n", "é", "…")
    named = dict(zip(range(len(prompt.ids)), kinds(prompt, range(len(prompt.ids))), strict=True))
    words, code = TokenKind.WORDS, TokenKind.CODE
    assert list(named.values()) == [
        *(words, words, TokenKind.DIGITS, TokenKind.PUNCTUATION, TokenKind.BLANKS),
        *(code, code, code, code, TokenKind.BLANKS, code, TokenKind.BLANKS, words, TokenKind.PUNCTUATION),
    ]


def test_by_kind_with_words_and_digits_has_a_mean_for_each() -> None:
    prompt = page("A", " fox", " 1", " 2", " sat")
    found = by_kind(prompt, (1, 2, 3, 4), (1.0, 5.0, 7.0, 3.0), (0.1, 0.2))
    assert [(each.name, each.start, each.tokens, each.nats_per_token) for each in found] == [
        ("words", 0, 2, 2.0),
        ("digits", 1, 2, 6.0),
    ]
    assert [each.kl_mean for each in found] == [0.1, 0.2]
    assert found[0].standard_error is None, "one stretch tells nothing of others"


def test_by_stretch_of_a_long_text_is_in_text_order() -> None:
    nats = [1.0] * STRETCH + [2.0] * 6
    found = by_stretch(nats, ())
    assert [(each.name, each.start, each.tokens, each.nats_per_token, each.kl_mean) for each in found] == [
        (0, 0, STRETCH, 1.0, None),
        (1, STRETCH, 6, 2.0, None),
    ]


def test_by_context_of_mixed_lengths_has_groups_of_doubling_length() -> None:
    before = (1, 15, 16, 31, 32, 64, 5)
    found = by_context(before, tuple(map(float, before)), ())
    assert [(each.name, each.tokens) for each in found] == [(0, 3), (16, 2), (32, 1), (64, 1)]
    assert found[0].nats_per_token == 7.0
    assert math.fsum(each.nats_per_token * each.tokens for each in found) == pytest.approx(sum(before))
