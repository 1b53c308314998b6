"""Attention weights of each head and layer, computed while mlx-lm's attention function is replaced during one pass.

All models of mlx-lm call one function, which each of their modules has imported by name. During the pass that name
refers to a wrapper, which returns the function's own output and also computes the weights. The weights must give the
same output, or an error is reported.
"""

import inspect
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import mlx.core as mx
import numpy as np
from mlx.nn.layers.base import Module
from mlx_lm.models import base

from app.engine.errors import UserError
from app.engine.jobs import ReadAttention, ReadAttentionMatrix
from app.engine.mlx.interpretability.layers import TODO, Layers, OutputRecorder
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel, has_plain_cache
from app.engine.token_patterns import AttentionTargets, HeadScorer, Weights, kind_of
from app.engine.types import WHOLE_TOKENS, Attention, AttentionMatrix, Head
from app.i18n import tr

MOST_TOKENS = 8_192
"""Maximum length in tokens: weights of longer texts would take gigabytes."""
ROWS = 64
"""A head is classified by its mean over this many of the last tokens."""
EXACT, ROUNDED = 1e-4, 0.02
NAME = "scaled_dot_product_attention"
KNOWN = ("queries", "keys", "values", "cache", "scale", "mask", "sinks")
"""Parameters of mlx-lm's attention function. With any others, it is not replaced."""
SIGNATURE = inspect.signature(base.scaled_dot_product_attention)


Take = Callable[[int, mx.array, Mapping[str, Any]], None]
"""Receives the index of the layer, the function's output and its arguments."""


class HeadCollector:
    """Collects the attention of all heads, layer by layer."""

    def __init__(self, main: LoadedModel, ids: tuple[int, ...], rows: int) -> None:
        texts = [main.spelling.texts[each] for each in ids]
        self._length = len(ids)
        self._whole, self._last = (AttentionTargets(ids, texts, count) for count in (rows, 1))
        self._scorer = HeadScorer(ids, rows)
        self.found: list[Head] = []
        self.difference = 0.0

    def collect(self, layer: int, output: mx.array, arguments: Mapping[str, Any]) -> None:
        """Add the heads of a layer. A layer with another number of keys is skipped: its keys have unknown positions."""
        weights, difference = evaluate(output, arguments, ROWS)
        if weights.shape[-1] != self._length:
            return
        check(difference, output.dtype == mx.float32)
        self.difference = max(self.difference, difference)
        before = sum(head.layer == layer for head in self.found)
        last, whole = self._last.shares(weights[:, -1:]), self._whole.shares(weights)
        rows = zip(weights[:, -1], last, whole, self._scorer.scores(weights), strict=True)
        self.found += (
            Head(layer, before + number, array("f", row.tobytes()), *kind_of(here), *kind_of(mean), scores)
            for number, (row, here, mean, scores) in enumerate(rows)
        )


class MatrixCollector:
    """Collects the attention matrix of one head of a layer, or of the mean over its heads."""

    def __init__(self, layer: int, head: int | None, size: int) -> None:
        self._layer, self._head, self._size = layer, head, size
        self._before = 0
        self.found: AttentionMatrix | None = None

    def collect(self, layer: int, output: mx.array, arguments: Mapping[str, Any]) -> None:
        if layer != self._layer or arguments["keys"].shape[2] != self._size:
            return
        at, count, head = self._before, output.shape[1], self._head
        self._before += count
        if self.found is not None or (head is not None and not at <= head < at + count):
            return
        weights, difference = evaluate(output, arguments, self._size)
        check(difference, output.dtype == mx.float32)
        rows = weights.mean(axis=0) if head is None else weights[head - at]
        self.found = AttentionMatrix(layer, head, self._size, array("f", rows.tobytes()), difference)


def read_attention(context: JobContext, ids: tuple[int, ...], job: ReadAttention) -> Attention:
    """Return the attention of each head from one token."""
    main, position = context.main, job.position
    if position >= MOST_TOKENS:
        what = tr("Attention is shown for the first {most} tokens.").format(most=f"{MOST_TOKENS:,}")
        raise UserError(what, tr("Pick an earlier token."), kind="attention")
    layers, callers, whole = Layers(main.module), _calling_modules(main.module), position < WHOLE_TOKENS
    cache = main.new_cache() if whole else context.prefill(ids[:position])
    if not whole and not has_plain_cache(cache):
        raise attention_failure()
    fed = ids[0 if whole else position : position + 1]
    heads = HeadCollector(main, ids[: position + 1], min(ROWS, len(fed)))
    with layers.record(lambda output: True) as recorders, _observe_calls(callers, heads.collect, recorders, context):
        main.forward(fed, cache)
    if not heads.found:
        raise attention_failure()
    return Attention(position, tuple(heads.found), heads.difference)


def read_attention_matrix(context: JobContext, ids: tuple[int, ...], job: ReadAttentionMatrix) -> AttentionMatrix:
    """Return the attention matrix of one head; without a head, the mean over the layer's heads."""
    main = context.main
    if len(ids) > WHOLE_TOKENS:
        what = tr("The attention matrix is available for the first {most} tokens.").format(most=f"{WHOLE_TOKENS:,}")
        raise UserError(what, tr("Pick an earlier token."), kind="attention")
    layers, callers = Layers(main.module), _calling_modules(main.module)
    wanted = MatrixCollector(job.layer, job.head, len(ids))
    with layers.record(lambda output: True) as recorders, _observe_calls(callers, wanted.collect, recorders, context):
        main.forward(ids, main.new_cache())
    if wanted.found is None:
        raise attention_failure()
    return wanted.found


def check(difference: float, exact: bool) -> None:
    """Raise UserError if the computed attention differs from the layer's output."""
    if not difference < (EXACT if exact else ROUNDED):
        raise attention_failure()


def _calling_modules(module: Module) -> list[ModuleType]:
    """Return the model's modules that have imported mlx-lm's attention function."""
    modules = {sys.modules[type(part).__module__] for part in module.modules()}
    if tuple(SIGNATURE.parameters) != KNOWN:
        raise attention_failure()
    return [each for each in modules if getattr(each, NAME, None) is base.scaled_dot_product_attention]


@contextmanager
def _observe_calls(
    callers: Sequence[ModuleType], take: Take, recorders: Sequence[OutputRecorder], context: JobContext
) -> Iterator[None]:
    """Pass each call of the attention function to `take` within this block."""
    real = base.scaled_dot_product_attention

    def watch(*args: Any, **kwargs: Any) -> mx.array:
        context.check_stop()
        output: mx.array = real(*args, **kwargs)
        arguments = SIGNATURE.bind(*args, **kwargs).arguments
        if isinstance(arguments["keys"], mx.array) and output.shape[0] == 1:
            take(sum(each.output is not None for each in recorders), output, arguments)
        return output

    try:
        for module in callers:
            setattr(module, NAME, watch)
        yield
    finally:
        for module in callers:
            setattr(module, NAME, real)


def evaluate(output: mx.array, arguments: Mapping[str, Any], rows: int) -> tuple[Weights, float]:
    """Compute the weights and their error now, so that only one layer's are in memory."""
    weights, apart = _weights(output, arguments, rows)
    mx.eval(output, weights, apart)
    return np.array(weights), float(np.array(apart))


def _weights(output: mx.array, arguments: Mapping[str, Any], most: int) -> tuple[mx.array, mx.array]:
    """Return the weights of the last rows without an attention sink, and the relative error of their output."""
    queries, mask, sinks = arguments["queries"], arguments["mask"], arguments.get("sinks")
    heads, rows, total = output.shape[1], min(output.shape[2], most), arguments["keys"].shape[2]
    keys, values = (
        mx.repeat(each, heads // each.shape[1], axis=1).astype(mx.float32)
        for each in (arguments["keys"], arguments["values"])
    )
    scores = (queries[:, :, -rows:].astype(mx.float32) * arguments["scale"]) @ keys.swapaxes(-1, -2)
    if isinstance(mask, str):
        mask = mx.arange(total - rows, total)[:, None] >= mx.arange(total)
    elif mask is not None and mask.shape[-2] > 1:
        mask = mask[..., -rows:, :]
    if mask is not None:
        scores = mx.where(mask, scores, -mx.inf) if mask.dtype == mx.bool_ else scores + mask.astype(mx.float32)
    if sinks is not None:
        column = mx.broadcast_to(sinks.astype(mx.float32)[None, :, None, None], (1, heads, rows, 1))
        scores = mx.concatenate([scores, column], axis=-1)
    weights = mx.softmax(scores, axis=-1, precise=True)[..., :total]
    expected = output[:, :, -rows:].astype(mx.float32)
    return weights[0], mx.abs(weights @ values - expected).max() / mx.maximum(mx.abs(expected).max(), 1e-9)


def attention_failure() -> UserError:
    return UserError(tr("Not available: the attention of this model can't be read."), TODO, kind="attention")
