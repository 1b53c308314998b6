"""A replay is the same or it says where it went another way, how near the choice was, and what was different."""

from __future__ import annotations

import math
from dataclasses import replace

from app.engine.types import Candidate, Observed
from app.records.replay import compare
from app.records.types import TokenRecord
from tests.records.making import VERSIONS


def tokens(*ids: int) -> tuple[TokenRecord, ...]:
    return tuple(TokenRecord(index, one, f"w{one}", index * 0.1) for index, one in enumerate(ids))


def observed(token: TokenRecord, **likely: float) -> TokenRecord:
    top = tuple(Candidate(int(name[1:]), name, math.log(share), 0.0) for name, share in likely.items())
    chosen = next(candidate for candidate in top if candidate.id == token.id)
    return replace(token, observed=Observed(chosen, 1, top, 1.0, 0.0, 0.1))


def test_the_same() -> None:
    found = compare(tokens(*range(412)), tokens(*range(412)))
    assert (found.sentence, found.identical, found.at) == ("identical, 412 of 412 tokens", True, None)


def test_nothing_is_the_same_as_nothing() -> None:
    assert compare((), ()).identical


def test_the_first_difference_is_counted_from_one() -> None:
    found = compare(tokens(1, 2, 3), tokens(1, 9, 3))
    assert found.sentence == "first difference at token 2: “w2” became “w9”"
    assert found.at == 1
    assert "near tie" not in found.sentence


def test_probabilities_are_told_where_one_run_observed() -> None:
    first = tokens(1, 2)
    second = (*tokens(1), observed(tokens(1, 9)[1], w9=0.5, w2=0.3))
    for pair in ((first, second), (first, (*second[:1], observed(second[1], w9=0.5, w2=0.3)))):
        found = compare(*pair)
        assert "“w2” (30.0%) became “w9” (50.0%)" in found.sentence
        assert "near tie" not in found.sentence


def test_a_near_tie_is_named() -> None:
    first = (*tokens(1), observed(tokens(1, 2)[1], w2=0.401, w9=0.399))
    found = compare(first, tokens(1, 9))
    assert "a near tie" in found.sentence


def test_one_that_ended_earlier() -> None:
    found = compare(tokens(1, 2, 3), tokens(1, 2))
    assert found.sentence == "the same as far as both go: the replay ended after 2 of 3 tokens"
    assert not found.identical
    assert "the first run ended after 1 of 3" in compare(tokens(1), tokens(1, 2, 3)).sentence


def test_other_versions_are_a_likely_cause() -> None:
    later = replace(VERSIONS, mlx="0.33.0", chip="")
    found = compare(tokens(1), tokens(2), (VERSIONS, later))
    assert found.causes == ("mlx was 0.32.4, now 0.33.0",)
    assert found.sentence.endswith("A likely cause: mlx was 0.32.4, now 0.33.0")
    assert "cause" not in compare(tokens(1), tokens(1), (VERSIONS, later)).sentence
    assert "cause" not in compare(tokens(1), tokens(2), (VERSIONS, VERSIONS)).sentence
