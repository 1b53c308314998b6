"""One pass over a prompt: how likely each of its tokens was, given all before it.

It has a cache of its own, so the conversation's stays as it is. Each chunk's logits become five numbers a token before
the next chunk is begun: a vocabulary wide for all tokens at once would be gigabytes.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import mlx.core as mx
import numpy as np

from app.engine.distributions import Logprobs
from app.engine.jobs import Begun
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.prefill import PrefillStoppedError
from app.engine.mlx.prefill_step_size import CHUNK_MIN, PrefillPace
from app.engine.protocol import Emit, StopFlag
from app.engine.tokenizers.spelling import Texts
from app.engine.types import Prefill, TokenWeights, Weight

LOGITS_BYTES = 32_000_000
"""One chunk's logits in float32 take so much at the most, unless the smallest takes more; there may be two."""
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
) -> TokenWeights:
    """Between two chunks Stop is heard; their size is learnt from the first, since here each token has its logits.

    One chunk's logits are looked at while the next one is read. `begun`: all that is found goes into this list too;
    what it has already is read once more, and not weighed.
    """
    cache, pace, weights = main.new_cache(), PrefillPace(), begun if begun is not None else []
    most = max(CHUNK_MIN, (SEEN_BYTES if see else LOGITS_BYTES) // (FLOAT_BYTES * main.model.vocabulary))
    if see is not None:
        pace.set_step_size(SEEN_CHUNK)
    if not weights:
        weights.append(None)
    known, done, looked = len(weights), 1, None
    with ThreadPoolExecutor(1, "weigh") as looking:
        while done < len(ids):
            emit(Prefill(done, len(ids), started := time.monotonic()))
            if stop.asked:
                break
            end = min(done + min(pace.step_size(), most), known if done < known else len(ids))
            logits = _logits(main, cache, ids[done - 1 : end - 1], end > known)
            weights += looked.result() if looked is not None else ()
            looked = looking.submit(_weights, logits, ids[done:end], main.spelling.texts, see) if end > known else None
            pace.learn(end - done, time.monotonic() - started)
            done = end
        weights += looked.result() if looked is not None else ()
    if done < len(ids):
        raise PrefillStoppedError
    emit(Prefill(done, len(ids), time.monotonic()))
    return TokenWeights(ids, tuple(weights))


def _logits(main: Loaded, cache: list[Any], ids: tuple[int, ...], wanted: bool) -> Logprobs:
    """Return the logits after each of these ids, if wanted; all ids go into the cache."""
    found = main.module(mx.array(ids, mx.uint32)[None], cache=cache)[0].astype(mx.float32)
    mx.eval([found] if wanted else [], [layer.state for layer in cache])
    return np.array(found if wanted else ())


def _weights(logits: Logprobs, ids: tuple[int, ...], texts: Texts, see: See | None) -> list[Weight]:
    """Of these ids, by the logits before each; on a thread that touches no array of mlx."""
    if not math.isfinite(float(logits.min()) + float(logits.max())):
        np.nan_to_num(logits, copy=False, nan=-IMPOSSIBLE, posinf=IMPOSSIBLE, neginf=-IMPOSSIBLE)
    own = np.take_along_axis(logits, np.array(ids)[:, None], axis=1)
    ranks = 1 + (logits > own).view(np.int8).sum(axis=1, dtype=np.int32)
    best, highest = logits.argmax(axis=1), logits.max(axis=1)
    logits -= highest[:, None]
    totals = np.log(np.exp(logits).sum(axis=1))
    if see is not None:
        logits -= totals[:, None]
        see(logits)
    columns = zip(*(each.tolist() for each in (own[:, 0] - highest - totals, ranks, best, -totals)), strict=True)
    return [Weight(logprob, rank, likeliest, texts[likeliest], total) for logprob, rank, likeliest, total in columns]
