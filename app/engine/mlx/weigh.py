"""One pass over a prompt: how likely each of its tokens was, given all before it.

It has a cache of its own, so the conversation's stays as it is. Each chunk's logits become five numbers a token before
the next chunk is begun: a vocabulary wide for all tokens at once would be gigabytes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import mlx.core as mx
from mlx_lm.generate import wired_limit

from app.engine.mlx.loaded import Loaded
from app.engine.mlx.pace import CHUNK_MIN, PrefillPace
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Prefill, Stopped, Weighed, Weight

LOGITS_BYTES = 64_000_000
"""One chunk's logits in float32 take so much at the most, unless the smallest chunk takes more."""
IMPOSSIBLE = 1e4
"""Stands for the infinite in logits, which would make every sum undefined."""
FLOAT_BYTES = 4


def weigh(main: Loaded, ids: tuple[int, ...], emit: Emit, stop: StopFlag) -> Weighed | Stopped:
    """Between two chunks Stop is heard; their size is learnt from the first, since here each token has its logits."""
    cache, pace = main.new_cache(), PrefillPace()
    most = max(CHUNK_MIN, LOGITS_BYTES // (FLOAT_BYTES * main.model.vocabulary))
    weights: list[Weight | None] = [None]
    try:
        with wired_limit(main.module):
            while len(weights) < len(ids):
                emit(Prefill(len(weights), len(ids), time.monotonic()))
                if stop.asked:
                    return Stopped()
                started, done = time.monotonic(), len(weights)
                size = min(pace.chunk(), most, len(ids) - done)
                weights += _weights(main, cache, ids[done - 1 : done + size])
                pace.learn(size, time.monotonic() - started)
        emit(Prefill(len(ids), len(ids), time.monotonic()))
        return Weighed(ids, tuple(weights))
    finally:
        cache.clear()
        mx.clear_cache()


def _weights(main: Loaded, cache: list[Any], ids: tuple[int, ...]) -> Iterator[Weight]:
    """All but the last id go in; each is followed by the one that is weighed."""
    logits = main.module(mx.array(ids[:-1], mx.uint32)[None], cache=cache)[0].astype(mx.float32)
    logits = mx.nan_to_num(logits, nan=-IMPOSSIBLE, posinf=IMPOSSIBLE, neginf=-IMPOSSIBLE)
    total = mx.logsumexp(logits, axis=-1)
    own = mx.take_along_axis(logits, mx.array(ids[1:], mx.uint32)[:, None], axis=-1)
    ranks = 1 + mx.sum(logits > own, axis=-1)
    best, highest = mx.argmax(logits, axis=-1), mx.max(logits, axis=-1)
    columns = (own[:, 0] - total, ranks, best, highest - total)
    mx.eval(columns, [layer.state for layer in cache])
    texts = main.spelling.texts
    for logprob, rank, likeliest, likeliest_logprob in zip(*(column.tolist() for column in columns), strict=True):
        yield Weight(logprob, rank, likeliest, texts[likeliest], likeliest_logprob)
