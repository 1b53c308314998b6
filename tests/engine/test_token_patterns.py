import random
from collections.abc import Sequence

import numpy as np
import pytest

from app.engine.token_patterns import (
    FEWEST_TOKENS,
    LONGEST_PERIOD,
    ROUNDS,
    AttentionTargets,
    HeadScorer,
    find_loop,
    kind_of,
)
from app.engine.types import Attention, Head, HeadGroup, HeadKind, HiddenStates, RepetitionLoop

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
def test_kind_of_a_head_with_one_target(kind: HeadKind) -> None:
    weights = np.eye(10, dtype=np.float32)[GOALS[kind]][None]
    for rows in (10, 3):
        (shares,) = AttentionTargets(IDS, TEXTS, rows).shares(weights[:, -rows:])
        assert shares[kind] == 1.0
        assert rows < 10 or kind_of(shares) == (kind, 1.0)


def test_kind_of_an_even_head_is_spread() -> None:
    (shares,) = AttentionTargets(IDS, TEXTS, 10).shares(np.full((1, 10, 10), 0.1, np.float32))
    kind, share = kind_of(shares)
    assert kind is HeadKind.SPREAD and share == pytest.approx(1 - max(shares.values()))


def test_shares_of_one_token_are_empty() -> None:
    (shares,) = AttentionTargets([3], ["x"], 1).shares(np.ones((1, 1, 1), np.float32))
    assert shares == {} and kind_of(shares) == (HeadKind.SPREAD, 1.0)


def test_by_kind_groups_heads() -> None:
    spread, previous, first = HeadKind.SPREAD, HeadKind.PREVIOUS, HeadKind.FIRST
    kinds = ((spread, 0.99), (previous, 0.5), (first, 0.7), (previous, 0.9), (first, 0.6))
    heads = tuple(Head(0, at, (1.0,), here, share, here, share) for at, (here, share) in enumerate(kinds))
    assert [head.head for head in Attention(0, heads, 0.0).by_kind()] == [3, 1, 2, 4, 0]


GROUPED = {
    HeadGroup.INDUCTION: GOALS[HeadKind.INDUCTION],
    HeadGroup.PREVIOUS: GOALS[HeadKind.PREVIOUS],
    HeadGroup.DUPLICATE: GOALS[HeadKind.SAME],
    HeadGroup.LOCAL: [0, 1, 1, 1, 2, 3, 4, 5, 6, 7],
    HeadGroup.FIRST: [0] * 10,
}


@pytest.mark.parametrize("group", GROUPED)
@pytest.mark.parametrize("sink", [0.0, 0.8])
def test_group_of_a_head_ignores_a_sink(group: HeadGroup, sink: float) -> None:
    weights = (1 - sink) * np.eye(10, dtype=np.float32)[GROUPED[group]]
    weights[:, 0] += sink
    (scores,) = HeadScorer(IDS, 10).scores(weights[None])
    assert scores[group] == pytest.approx(1.0)
    assert Head(0, 0, (), HeadKind.SPREAD, 0.0, HeadKind.SPREAD, 0.0, scores).group is group


def test_group_of_an_even_head_is_broad() -> None:
    weights = np.tril(np.ones((64, 64), np.float32))
    weights /= weights.sum(axis=1, keepdims=True)
    (scores,) = HeadScorer(range(64), 64).scores(weights[None])
    assert scores[HeadGroup.BROAD] == pytest.approx(1.0)
    head = Head(0, 0, (), HeadKind.SPREAD, 0.0, HeadKind.SPREAD, 0.0, scores)
    assert head.group is HeadGroup.BROAD
    assert Attention(0, (head,), 0.0).by_group()[HeadGroup.BROAD] == [head]


def test_scores_of_one_token_are_empty() -> None:
    assert HeadScorer([3], 1).scores(np.ones((2, 1, 1), np.float32)) == [{}, {}]


UNLIKE = tuple(range(100, 120))


@pytest.mark.parametrize(
    ("ids", "loop"),
    [
        ((), None),
        (UNLIKE, None),
        (UNLIKE + (1, 2, 3, 4, 5) * 2, None),
        (UNLIKE + (1, 2, 3, 4, 5) * 3, RepetitionLoop(20, 5, 35)),
        (UNLIKE + (7,) * FEWEST_TOKENS, RepetitionLoop(20, 1, 20 + FEWEST_TOKENS)),
        (UNLIKE + (7,) * (FEWEST_TOKENS - 1), None),
        (UNLIKE + (1, 2, 3, 4, 5) * 4 + (1, 2) + UNLIKE, RepetitionLoop(20, 5, 42)),
        ((1, 2) * 10 + UNLIKE + (3, 4, 5) * 9, RepetitionLoop(40, 3, 67)),
        (tuple(range(LONGEST_PERIOD)) * 3, RepetitionLoop(0, LONGEST_PERIOD, 3 * LONGEST_PERIOD)),
        (tuple(range(LONGEST_PERIOD + 1)) * 3, None),
    ],
)
def test_find_loop_is_the_longest_range(ids: tuple[int, ...], loop: RepetitionLoop | None) -> None:
    assert find_loop(ids) == loop


def slowly(ids: Sequence[int]) -> RepetitionLoop | None:
    best, longest = None, FEWEST_TOKENS - 1
    for period in range(1, len(ids) // ROUNDS + 1):
        for start in range(len(ids) - period):
            others = (at for at in range(start + period, len(ids)) if ids[at] != ids[at - period])
            size = next(others, len(ids)) - start
            if size > longest and size >= ROUNDS * period:
                best, longest = RepetitionLoop(start, period, start + size), size
    return best


def test_find_loop_agrees_with_its_definition() -> None:
    chance = random.Random(5)
    for _ in range(300):
        kinds = chance.randint(1, 4)
        before, told, after = ([chance.randrange(kinds) for _ in range(chance.randint(0, 9))] for _ in range(3))
        ids = before + told * chance.randint(0, 6) + after
        assert find_loop(ids) == slowly(ids), ids


def test_agree_from_is_the_first_equal_state() -> None:
    size, loop = 6, RepetitionLoop(0, 2, 8)
    cosines = [1.0 if min(row, column) >= 1 or row == column else 0.5 for row in range(size) for column in range(size)]
    assert HiddenStates(7, (), None, 2, size, (cosines,), loop).agree_from(loop) == 3
    assert HiddenStates(7, (), None, 2, size, ([0.5] * size * size,), loop).agree_from(loop) is None
