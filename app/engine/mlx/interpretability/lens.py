"""The logit lens: the prediction from each layer's hidden state, as if it were the last layer.

One pass records the output of every layer. A second pass returns these outputs in place of all layers, as a batch of
one-token texts. So the model's own final norm, output head and logit caps are applied. The last layer must give the
real logits, or an error is reported.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np

from app.engine.distributions import FLOAT_BYTES, Logprobs
from app.engine.mlx.caches.cache import PromptCache
from app.engine.mlx.interpretability.layers import Layers, OutputRecorder, stacked, unreachable
from app.engine.mlx.loaded import Loaded
from app.engine.mlx.perplexity import IMPOSSIBLE, LOGITS_BYTES
from app.engine.mlx.prefill import PrefillStoppedError
from app.engine.mlx.top_k import likeliest
from app.engine.protocol import Emit, StopFlag
from app.engine.tokenizers.spelling import Texts
from app.engine.types import Alternative, LayerPrediction, LensPosition, LensResult, Prefill, TopTokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

CANDIDATES = 5
MOST_PLACES = 64
EXACT, ROUNDED = 1e-4, 0.05
"""Largest error of the last layer's logits, relative to the largest logit: in float32, and in half precision."""


def look_inside(
    main: Loaded, held: PromptCache, ids: tuple[int, ...], places: range, emit: Emit, stop: StopFlag
) -> LensResult:
    """Return the logit lens at these consecutive positions. The conversation's cache is only read."""
    assert 0 <= places.start < places.stop <= len(ids) and len(places) <= MOST_PLACES
    layers = Layers(main.module)
    cache = prefilled_cache(main, held, ids[: places.start], emit, stop)
    with layers.heard() as heard:
        logits = main.module(mx.array(ids[places.start : places.stop], mx.uint32)[None], cache=cache)[0]
        mx.eval(logits, [each.output for each in heard])
    return _lens_result(main, ids, places, logits, _logits_by_layer(main, layers, heard, len(places), stop))


def prefilled_cache(main: Loaded, held: PromptCache, ids: tuple[int, ...], emit: Emit, stop: StopFlag) -> list[Any]:
    """Return a cache of these ids. Tokens in the conversation's cache are copied instead of prefilled."""
    cache, done = held.copied(ids, main)
    while True:
        emit(Prefill(done, len(ids), time.monotonic()))
        if stop.asked:
            raise PrefillStoppedError
        if done >= len(ids):
            return cache
        end = min(len(ids), done + main.pace.step_size())
        main.module(mx.array(ids[done:end], mx.uint32)[None], cache=cache)
        mx.eval([layer.state for layer in cache])
        done = end


def _logits_by_layer(
    main: Loaded, layers: Layers, heard: list[OutputRecorder], length: int, stop: StopFlag
) -> Iterator[Logprobs]:
    """Yield the logits of each layer, one row for each position. Small layers are computed together."""
    at_once = max(1, LOGITS_BYTES // (FLOAT_BYTES * main.rows * length))
    for first in range(0, len(heard), at_once):
        if stop.asked:
            raise PrefillStoppedError
        some = heard[first : first + at_once]
        with layers.answering(stacked(some, length, length)):
            nothing = mx.zeros((len(some) * length, 1), mx.uint32)
            found = readable(main.module(nothing, cache=main.new_cache())[:, -1])
        yield from found.reshape(len(some), length, -1)


def _lens_result(
    main: Loaded, ids: tuple[int, ...], places: range, logits: mx.array, by_layer: Iterator[Logprobs]
) -> LensResult:
    real = readable(logits)
    known = ids[places.start + 1 : places.stop + 1]
    said = [*known, *real[len(known) :].argmax(axis=1).tolist()]
    said_logits, texts, guesses, last = (
        np.array(said)[:, None],
        main.spelling.texts,
        list[list[LayerPrediction]](),
        real,
    )
    for last in by_layer:
        guesses.append(_predictions(last, said_logits, texts))
    apart = float((np.abs(last - real).max(axis=1) / np.abs(real).max(axis=1).clip(1e-9)).max())
    if not apart < (EXACT if logits.dtype == mx.float32 else ROUNDED):
        raise unreachable()
    each = zip(places, said, zip(*guesses, strict=True), _predictions(real, said_logits, texts), strict=True)
    return LensResult(
        tuple(LensPosition(place, one, texts[one], own, answer) for place, one, own, answer in each), apart
    )


def _predictions(logits: Logprobs, said: NDArray[np.int64], texts: Texts) -> list[LayerPrediction]:
    """Return one prediction for each position."""
    ids, highest = likeliest(logits, min(CANDIDATES, logits.shape[1]))
    totals = highest + np.log(np.exp(logits - highest[:, None]).sum(axis=1))
    logprobs = logits - totals[:, None]
    entropies = -(np.exp(logprobs) * logprobs).sum(axis=1)
    own = np.take_along_axis(logprobs, said, axis=1)[:, 0]
    found = []
    for row, (best, entropy, logprob) in enumerate(zip(ids.tolist(), entropies.tolist(), own.tolist(), strict=True)):
        top = TopTokens.of(
            Alternative(each, texts[each], float(logprobs[row, each]), float(logits[row, each])) for each in best
        )
        found.append(LayerPrediction(top, entropy, logprob))
    return found


def readable(logits: mx.array) -> Logprobs:
    found: Logprobs = np.array(logits.astype(mx.float32))
    return np.nan_to_num(found, copy=False, nan=-IMPOSSIBLE, posinf=IMPOSSIBLE, neginf=-IMPOSSIBLE)
