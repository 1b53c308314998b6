"""The logit lens: the prediction from each layer's hidden state, as if it were the last layer.

One pass records the output of every layer. A second pass returns these outputs in place of all layers, as a batch of
one-token texts. So the model's own final norm, output head and logit caps are applied. The last layer must give the
real logits, or an error is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np

from app.engine.distributions import FLOAT_BYTES, Logprobs
from app.engine.jobs import ReadLens
from app.engine.mlx.interpretability.layers import Layers, OutputRecorder, layers_failure, stack_outputs
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.perplexity import IMPOSSIBLE, LOGITS_BYTES
from app.engine.mlx.top_k import likeliest
from app.engine.text import TextCache
from app.engine.types import Alternative, LayerPrediction, LensPosition, LensResult, TopTokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

CANDIDATES = 5
MOST_PLACES = 64
EXACT, ROUNDED = 1e-4, 0.05
"""Largest error of the last layer's logits, relative to the largest logit: in float32, and in half precision."""


def read_lens(context: JobContext, ids: tuple[int, ...], job: ReadLens) -> LensResult:
    """Return the logit lens at consecutive positions."""
    main, positions = context.main, job.positions
    assert 0 <= positions.start < positions.stop <= len(ids) and len(positions) <= MOST_PLACES
    layers = Layers(main.module)
    cache = context.prefill(ids[: positions.start])
    with layers.record() as recorders:
        logits = main.forward(ids[positions.start : positions.stop], cache)
        mx.eval(logits, [each.output for each in recorders])
    return _lens_result(main, ids, positions, logits, _logits_by_layer(context, layers, recorders, len(positions)))


def _logits_by_layer(
    context: JobContext, layers: Layers, recorders: list[OutputRecorder], length: int
) -> Iterator[Logprobs]:
    """Yield the logits of each layer, one row for each position. Small layers are computed together."""
    main = context.main
    at_once = max(1, LOGITS_BYTES // (FLOAT_BYTES * main.rows * length))
    for first in range(0, len(recorders), at_once):
        context.check_stop()
        some = recorders[first : first + at_once]
        with layers.replace_outputs(stack_outputs(some, length, length)):
            nothing = mx.zeros((len(some) * length, 1), mx.uint32)
            found = readable(main.module(nothing, cache=main.new_cache())[:, -1])
        yield from found.reshape(len(some), length, -1)


def _lens_result(
    main: LoadedModel, ids: tuple[int, ...], positions: range, logits: mx.array, by_layer: Iterator[Logprobs]
) -> LensResult:
    real = readable(logits)
    known = ids[positions.start + 1 : positions.stop + 1]
    actual = [*known, *real[len(known) :].argmax(axis=1).tolist()]
    actual_ids, texts = np.array(actual)[:, None], main.spelling.texts
    guesses, last = list[list[LayerPrediction]](), real
    for last in by_layer:
        guesses.append(_predictions(last, actual_ids, texts))
    apart = float((np.abs(last - real).max(axis=1) / np.abs(real).max(axis=1).clip(1e-9)).max())
    if not apart < (EXACT if logits.dtype == mx.float32 else ROUNDED):
        raise layers_failure()
    each = zip(positions, actual, zip(*guesses, strict=True), _predictions(real, actual_ids, texts), strict=True)
    return LensResult(
        tuple(LensPosition(position, one, texts[one], own, answer) for position, one, own, answer in each), apart
    )


def _predictions(logits: Logprobs, actual: NDArray[np.int64], texts: TextCache) -> list[LayerPrediction]:
    ids, highest = likeliest(logits, min(CANDIDATES, logits.shape[1]))
    totals = highest + np.log(np.exp(logits - highest[:, None]).sum(axis=1))
    logprobs = logits - totals[:, None]
    entropies = -(np.exp(logprobs) * logprobs).sum(axis=1)
    own = np.take_along_axis(logprobs, actual, axis=1)[:, 0]
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
