"""Where a text begins to say the same over and over: pure arithmetic on token ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.types import Loop

ROUNDS = 3
FEWEST_TOKENS = 12
LONGEST_PERIOD = 256


def loop_of(ids: Sequence[int]) -> Loop | None:
    """The longest stretch of at least three rounds; of several periods that fit it the shortest."""
    tokens, best = np.array(ids), None
    for period in range(1, 1 + min(LONGEST_PERIOD, len(tokens) // ROUNDS)):
        edges = np.flatnonzero(np.diff((tokens[:-period] == tokens[period:]).astype(np.int8), prepend=0, append=0))
        if not edges.size:
            continue
        lengths = edges[1::2] - edges[::2]
        most = int(lengths.argmax())
        found = Loop(int(edges[2 * most]), period, int(edges[2 * most + 1]) + period)
        size = found.end - found.start
        if size >= max(FEWEST_TOKENS, ROUNDS * period) and (best is None or size > best.end - best.start):
            best = found
    return best
