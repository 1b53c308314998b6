"""What a head does is told by its rows alone: rows made for one thing are called after it."""

import numpy as np
import pytest

from app.engine.token_patterns import AttentionTargets, kind_of
from app.engine.types import Attention, Head, HeadKind

IDS = [9, 1, 2, 3, 7, 1, 2, 3, 7, 1]
TEXTS = ["<s>", " a", " b", " c", ".", " a", " b", " c", ".", " a"]
GOALS = {
    HeadKind.ITSELF: list(range(10)),
    HeadKind.PREVIOUS: [0, *range(9)],
    HeadKind.FIRST: [0] * 10,
    HeadKind.INDUCTION: [0, 0, 0, 0, 0, 2, 3, 4, 5, 2],
    HeadKind.SAME: [0, 0, 0, 0, 0, 1, 2, 3, 4, 5],
    HeadKind.DELIMITER: [0, 0, 0, 0, 0, 4, 4, 4, 4, 8],
}
"""For each token the one that such a head attends to."""


@pytest.mark.parametrize("kind", GOALS)
def test_a_head_that_does_one_thing(kind: HeadKind) -> None:
    weights = np.eye(10, dtype=np.float32)[GOALS[kind]][None]
    (shares,) = AttentionTargets(IDS, TEXTS, 10).shares(weights)
    assert kind_of(shares) == (kind, 1.0)


def test_the_last_rows_are_measured_alone() -> None:
    weights = np.eye(10, dtype=np.float32)[GOALS[HeadKind.SAME]][None]
    (shares,) = AttentionTargets(IDS, TEXTS, 3).shares(weights[:, -3:])
    assert shares[HeadKind.SAME] == 1
    assert shares[HeadKind.INDUCTION] == 0


def test_a_head_that_does_nothing_clearly_is_spread() -> None:
    (shares,) = AttentionTargets(IDS, TEXTS, 10).shares(np.full((1, 10, 10), 0.1, np.float32))
    kind, share = kind_of(shares)
    assert kind is HeadKind.SPREAD and share == pytest.approx(1 - max(shares.values()))


def test_a_text_of_one_token() -> None:
    (shares,) = AttentionTargets([3], ["x"], 1).shares(np.ones((1, 1, 1), np.float32))
    assert shares == {} and kind_of(shares) == (HeadKind.SPREAD, 1.0)


def test_heads_that_do_the_same_stand_together() -> None:
    kinds = (
        (HeadKind.SPREAD, 0.99),
        (HeadKind.PREVIOUS, 0.5),
        (HeadKind.FIRST, 0.7),
        (HeadKind.PREVIOUS, 0.9),
        (HeadKind.FIRST, 0.6),
    )
    heads = tuple(Head(0, at, (1.0,), here, share, here, share) for at, (here, share) in enumerate(kinds))
    assert [head.head for head in Attention(0, heads, 0.0).by_kind()] == [3, 1, 2, 4, 0]
