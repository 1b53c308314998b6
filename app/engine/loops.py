"""Finds repetition loops in token ids."""

from collections.abc import Sequence

import numpy as np

from app.engine.types import RepetitionLoop

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
