"""Scores each token of a prompt in one pass: its log-probability given all tokens before it.

The pass has its own cache, so the conversation's stays as it is. Each chunk's logits are reduced to five numbers for
each token before the next chunk: all of them at once would take gigabytes.
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
from app.engine.text import Texts
from app.engine.types import Prefill, TokenWeights, Weight

LOGITS_BYTES = 32_000_000
"""Maximum bytes of a chunk's float32 logits, unless the smallest chunk has more. Two chunks may be in memory."""
SEEN_BYTES = 8_000_000
"""The same if distributions are compared, which takes several times the memory."""
SEEN_CHUNK = 128
"""Fixed chunk size for comparisons: both models must have the same chunks."""
IMPOSSIBLE = 1e4
"""Replaces infinite logits, which would make every sum undefined."""
FLOAT_BYTES = 4

See = Callable[[Logprobs], None]
"""Receives the logprobs of all tokens, a row for each position."""


def weigh(
    main: Loaded,
    ids: tuple[int, ...],
    emit: Emit,
    stop: StopFlag,
    see: See | None = None,
    begun: Begun = None,
) -> TokenWeights:
    """Score all tokens of a prompt. Raises PrefillStoppedError if Stop was asked for between two chunks.

    A chunk is scored on another thread while the next one is prefilled. `see` gets the distributions. Scores are
    appended to `begun`; tokens with a score in it are prefilled without being scored again.
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
            looked = looking.submit(_score, logits, ids[done:end], main.spelling.texts, see) if end > known else None
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


def _score(logits: Logprobs, ids: tuple[int, ...], texts: Texts, see: See | None) -> list[Weight]:
    """Score these ids by the logits before each. Runs on another thread, so it uses no array of mlx."""
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
