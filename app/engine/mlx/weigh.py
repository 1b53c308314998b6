"""One pass over a prompt: how likely each of its tokens was, given all before it.

It has a cache of its own, so the conversation's stays as it is. Each chunk's logits become five numbers a token before
the next chunk is begun: a vocabulary wide for all tokens at once would be gigabytes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import mlx.core as mx
import numpy as np
from mlx_lm.generate import wired_limit

from app.engine.distributions import Logprobs
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.pace import CHUNK_MIN, PrefillPace
from app.engine.protocol import Begun, Emit, StopFlag
from app.engine.types import Prefill, Stopped, Weighed, Weight

LOGITS_BYTES = 64_000_000
"""One chunk's logits in float32 take so much at the most, unless the smallest chunk takes more."""
SEEN_BYTES = 8_000_000
"""The same where somebody looks at whole distributions, several times as large as what is made of them."""
SEEN_CHUNK = 128
"""Then always as many, whatever the pace: two models are to be compared as they read the same chunks."""
IMPOSSIBLE = 1e4
"""Stands for the infinite in logits, which would make every sum undefined."""
FLOAT_BYTES = 4

See = Callable[[Logprobs], None]
"""Looks at the logarithms of whole distributions, a row for each place."""


def weigh(
    main: Loaded,
    ids: tuple[int, ...],
    emit: Emit,
    stop: StopFlag,
    see: See | None = None,
    begun: Begun = None,
) -> Weighed | Stopped:
    """Between two chunks Stop is heard; their size is learnt from the first, since here each token has its logits.

    `begun`: all that is found goes into this list too; what it has already is read once more, and not weighed.
    """
    cache, pace, weights, done = main.new_cache(), PrefillPace(), begun if begun is not None else [], 1
    most = max(CHUNK_MIN, (SEEN_BYTES if see else LOGITS_BYTES) // (FLOAT_BYTES * main.model.vocabulary))
    if see is not None:
        pace.fix(SEEN_CHUNK)
    if not weights:
        weights.append(None)
    try:
        with wired_limit(main.module):
            while done < len(ids):
                emit(Prefill(done, len(ids), time.monotonic()))
                if stop.asked:
                    return Stopped()
                started, known = time.monotonic(), len(weights) - done
                size = min(pace.chunk(), most, known or len(ids) - done)
                chunk = ids[done - 1 : done + size]
                if known:
                    mx.eval(_forward(main, cache, chunk[:-1])[1])
                else:
                    weights += _weights(main, cache, chunk, see)
                pace.learn(size, time.monotonic() - started)
                done += size
        emit(Prefill(len(ids), len(ids), time.monotonic()))
        return Weighed(ids, tuple(weights))
    finally:
        cache.clear()
        mx.clear_cache()


def _weights(main: Loaded, cache: list[Any], ids: tuple[int, ...], see: See | None) -> Iterator[Weight]:
    """All but the last id go in; each is followed by the one that is weighed."""
    logits = _logits(main, cache, ids[:-1])
    own = np.take_along_axis(logits, np.array(ids[1:])[:, None], axis=1)
    ranks, best, highest = 1 + (logits > own).sum(axis=1), logits.argmax(axis=1), logits.max(axis=1)
    logits -= highest[:, None]
    totals = np.log(np.exp(logits).sum(axis=1))
    if see is not None:
        logits -= totals[:, None]
        see(logits)
    texts = main.spelling.texts
    columns = (own[:, 0] - highest - totals, ranks, best, -totals)
    for logprob, rank, likeliest, likeliest_logprob in zip(*(column.tolist() for column in columns), strict=True):
        yield Weight(logprob, rank, likeliest, texts[likeliest], likeliest_logprob)


def _forward(main: Loaded, cache: list[Any], ids: tuple[int, ...]) -> tuple[mx.array, list[Any]]:
    """The logits and the cache, neither worked out yet."""
    logits = main.module(mx.array(ids, mx.uint32)[None], cache=cache)[0].astype(mx.float32)
    return logits, [layer.state for layer in cache]


def _logits(main: Loaded, cache: list[Any], ids: tuple[int, ...]) -> Logprobs:
    found, states = _forward(main, cache, ids)
    mx.eval(found, states)
    logits = np.array(found)
    if not math.isfinite(float(logits.sum())):
        np.nan_to_num(logits, copy=False, nan=-IMPOSSIBLE, posinf=IMPOSSIBLE, neginf=-IMPOSSIBLE)
    return logits
