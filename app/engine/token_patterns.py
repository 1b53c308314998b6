"""Classifies attention heads by their weights, and finds repetition loops in token ids, with numpy alone."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from app.engine.types import HeadGroup, HeadKind, RepetitionLoop

if TYPE_CHECKING:
    from numpy.typing import NDArray

Weights: TypeAlias = "NDArray[np.float32]"
LOCAL_TOKENS = 8
LEAST_REST = 0.1
TINY = 1e-9
CLEAR = 0.4
"""Minimum mean weight on a target for a head to be classified."""


class AttentionTargets:
    """The tokens that heads of each kind attend to, as a mask for each row."""

    def __init__(self, ids: Sequence[int], texts: Sequence[str], rows: int) -> None:
        columns = np.arange(len(ids))
        delimits = np.array([not any(letter.isalnum() for letter in text) for text in texts])
        at = columns[-rows:, None]
        same, after = _earlier(ids, at)
        goals = {
            HeadKind.ITSELF: columns == at,
            HeadKind.PREVIOUS: columns == at - 1,
            HeadKind.FIRST: columns + 0 * at == 0,
            HeadKind.INDUCTION: after & (columns < at),  # a token that occurs twice in a row follows itself
            HeadKind.SAME: same,
            HeadKind.DELIMITER: delimits & (columns < at) & (columns > 0),
        }
        able = {kind: goal & (at > 0) for kind, goal in goals.items()}
        self._kinds = [kind for kind, goal in able.items() if goal.any()]
        self._counts = np.array([able[kind].any(axis=1).sum() for kind in self._kinds])
        self._goals = np.array([able[kind].ravel() for kind in self._kinds], np.float32).reshape(
            len(self._kinds), same.size
        )

    def shares(self, weights: Weights) -> list[dict[HeadKind, float]]:
        """Return the mean share of weight on these targets, for heads of shape (heads, rows, tokens)."""
        means = weights.reshape(len(weights), -1) @ self._goals.T / self._counts
        return [dict(zip(self._kinds, each, strict=True)) for each in means.tolist()]


class HeadScorer:
    """Scores heads by the parts of their weight that go to the targets of each group.

    The weight on the first token, an attention sink, is scored by itself. The other scores are shares of the rest, over
    the rows that have a target; a smaller rest than LEAST_REST counts as LEAST_REST. `broad` is exp(entropy), the
    number of evenly attended tokens, as a share of all.
    """

    def __init__(self, ids: Sequence[int], rows: int) -> None:
        columns = np.arange(len(ids))
        at = columns[-rows:, None]
        same, after = _earlier(ids, at)
        before = (columns <= at) & (columns > 0)
        goals = {
            HeadGroup.INDUCTION: after & (columns < at),
            HeadGroup.PREVIOUS: columns == at - 1,
            HeadGroup.DUPLICATE: same,
            HeadGroup.LOCAL: columns > at - LOCAL_TOKENS,
        }
        self._goals = {group: (goal & before).astype(np.float32) for group, goal in goals.items()}
        self._able = {group: goal.any(axis=1).astype(np.float32) for group, goal in self._goals.items()}
        self._choice = at[:, 0] > 0
        """Rows that can attend to more than the first token."""
        self._known = at[:, 0].astype(np.float64)
        """Number of tokens after the first one that each row can attend to."""

    def scores(self, weights: Weights) -> list[dict[HeadGroup, float]]:
        """Return the scores of heads of shape (heads, rows, tokens)."""
        if not self._choice.any():
            return [{} for _ in weights]
        first = weights[:, self._choice, 0].mean(axis=1)
        rest = weights[:, :, 1:].sum(axis=2)
        found = {HeadGroup.FIRST: first, HeadGroup.BROAD: self._breadth(weights, rest)}
        for group, goal in self._goals.items():
            on_target = np.einsum("hrt,rt->h", weights, goal)
            able = self._able[group]
            found[group] = on_target / np.maximum(rest @ able, max(LEAST_REST * able.sum(), TINY))
        return [{group: float(each[head]) for group, each in found.items()} for head in range(len(weights))]

    def _breadth(self, weights: Weights, rest: Weights) -> Weights:
        shares = weights[:, :, 1:] / np.maximum(rest, TINY)[:, :, None]
        entropies = -(shares * np.log(np.maximum(shares, TINY))).sum(axis=2)
        found: Weights = np.exp(entropies) @ self._choice / self._known.sum()
        return found


def _earlier(ids: Sequence[int], at: "NDArray[np.int64]") -> "tuple[NDArray[np.bool_], NDArray[np.bool_]]":
    """Return for each row of `at` the earlier occurrences of its token, and the tokens after these."""
    tokens = np.array(ids)
    same = (tokens[at] == tokens) & (np.arange(len(ids)) < at)
    after = np.zeros_like(same)
    after[:, 1:] = same[:, :-1]
    return same, after


def kind_of(shares: Mapping[HeadKind, float]) -> tuple[HeadKind, float]:
    """Return the strongest kind and its share; a head below CLEAR is "spread"."""
    kind, share = max(shares.items(), key=lambda pair: pair[1], default=(HeadKind.SPREAD, 0.0))
    return (kind, share) if share >= CLEAR else (HeadKind.SPREAD, 1 - share)


ROUNDS = 3
FEWEST_TOKENS = 12
LONGEST_PERIOD = 256


def find_loop(ids: Sequence[int]) -> RepetitionLoop | None:
    """Return the longest range with at least three repetitions, with its shortest period; None if there is none."""
    tokens, best, longest = np.array(ids, np.int32), None, FEWEST_TOKENS - 1
    for period in range(1, 1 + min(LONGEST_PERIOD, len(tokens) // ROUNDS)):
        # Between two edges each token equals the one a period earlier.
        parted = np.ones(len(tokens) - period + 2, np.bool_)
        np.not_equal(tokens[:-period], tokens[period:], out=parted[1:-1])
        edges = np.flatnonzero(parted)
        lengths = np.diff(edges)
        most = int(lengths.argmax())
        start, size = int(edges[most]), int(lengths[most]) - 1 + period
        if size > longest and size >= ROUNDS * period:
            best, longest = RepetitionLoop(start, period, start + size), size
    return best
