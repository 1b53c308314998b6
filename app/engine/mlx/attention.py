"""What each head of each layer attends to, seen by standing in for mlx-lm's attention function during one pass.

mlx-lm's models call one function, each by the name under which its own module has imported it. For one pass that name
leads to a watcher, which asks the real function for the output and works the weights out beside it: they have to bring
forth the same output, or nothing is told. It is the one place where anything of the library is replaced.
"""

from __future__ import annotations

import inspect
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import mlx.core as mx
import numpy as np
from mlx.nn.layers.base import Module
from mlx_lm.generate import wired_limit
from mlx_lm.models import base

from app.engine.heads import Goals, kind_of
from app.engine.mlx.cache import PromptCache
from app.engine.mlx.layers import TODO, Layers, Listener
from app.engine.mlx.lens import read_before
from app.engine.mlx.loaded import Loaded, is_plain
from app.engine.mlx.prefill import PrefillStoppedError
from app.engine.protocol import Emit, StopFlag
from app.engine.refusal import RefusedError
from app.engine.types import Attention, Head, Stopped
from app.words import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

WHOLE_TOKENS = 1_024
"""A longer text is not read anew for it: then the picked token's own row is all that is known."""
ROWS = 64
"""So many of the last tokens tell what a head does."""
EXACT, ROUNDED = 1e-4, 0.02
NAME = "scaled_dot_product_attention"
KNOWN = ("queries", "keys", "values", "cache", "scale", "mask", "sinks")
"""What that function is given, as far as it is known here."""


class Seen(NamedTuple):
    """One call of it: weights of the last rows by head, how far they are from the real output, and in what."""

    layer: int
    weights: mx.array
    difference: mx.array
    precision: mx.Dtype


def attention(
    main: Loaded, held: PromptCache, ids: tuple[int, ...], place: int, emit: Emit, stop: StopFlag
) -> Attention | Stopped:
    """From the token at this place back; the conversation's cache is read and stays as it is."""
    assert 0 <= place < len(ids)
    layers, whole = Layers(main.module), place < WHOLE_TOKENS
    try:
        with wired_limit(main.module):
            cache = main.new_cache() if whole else read_before(main, held, ids[:place], emit, stop)
            if not whole and not is_plain(cache):
                raise unseen()
            callers = _callers(main.module)
            with layers.heard() as heard, _watched(callers, heard) as seen:
                fed = ids[0 if whole else place : place + 1]
                main.module(mx.array(fed, mx.uint32)[None], cache=cache)
                mx.eval([each[1:3] for each in seen])  # what is said at the end is not asked
            return Stopped() if stop.asked else _told(seen, ids[: place + 1], place, main)
    except PrefillStoppedError:
        return Stopped()
    finally:
        mx.clear_cache()


def _callers(module: Module) -> list[ModuleType]:
    """Where the model's parts come from, as far as the function is there, and is the one that is known."""
    modules = {sys.modules[type(part).__module__] for part in module.modules()}
    if tuple(inspect.signature(base.scaled_dot_product_attention).parameters) != KNOWN:
        raise unseen()
    return [each for each in modules if getattr(each, NAME, None) is base.scaled_dot_product_attention]


@contextmanager
def _watched(callers: Sequence[ModuleType], heard: Sequence[Listener]) -> Iterator[list[Seen]]:
    """Within it what the function is asked is looked at; whatever happens, all stands as before afterwards."""
    seen: list[Seen] = []
    real = base.scaled_dot_product_attention

    def watch(queries: mx.array, keys: Any, values: Any, *more: Any, **named: Any) -> mx.array:
        output: mx.array = real(queries, keys, values, *more, **named)
        given = inspect.signature(real).bind(queries, keys, values, *more, **named)
        layer = sum(each.output is not None for each in heard)
        if isinstance(keys, mx.array) and queries.shape[0] == 1:
            asked = given.arguments
            seen.append(_seen(layer, output, asked["scale"], asked["mask"], asked.get("sinks"), queries, keys, values))
        return output

    try:
        for module in callers:
            setattr(module, NAME, watch)
        yield seen
    finally:
        for module in callers:
            setattr(module, NAME, real)


def _seen(layer: int, output: mx.array, scale: float, mask: Any, sinks: mx.array | None, *asked: mx.array) -> Seen:
    """The weights as the function's own words say: softmax of the products and the mask, a sink's column dropped."""
    queries, keys, values = asked
    heads, length = queries.shape[1], queries.shape[2]
    rows, total = min(length, ROWS), keys.shape[2]
    keys, values = (mx.repeat(each, heads // each.shape[1], axis=1).astype(mx.float32) for each in (keys, values))
    scores = (queries[:, :, -rows:].astype(mx.float32) * scale) @ keys.swapaxes(-1, -2)
    if isinstance(mask, str):
        mask = mx.arange(total - rows, total)[:, None] >= mx.arange(total)
    elif mask is not None:
        mask = mask[..., -rows:, :] if mask.shape[-2] > 1 else mask
    if mask is not None:
        scores = mx.where(mask, scores, -mx.inf) if mask.dtype == mx.bool_ else scores + mask.astype(mx.float32)
    if sinks is not None:
        column = mx.broadcast_to(sinks.astype(mx.float32)[None, :, None, None], (1, heads, rows, 1))
        scores = mx.concatenate([scores, column], axis=-1)
    weights = mx.softmax(scores, axis=-1, precise=True)[..., :total]
    expected = output[:, :, -rows:].astype(mx.float32)
    apart = mx.abs(weights @ values - expected).max() / mx.maximum(mx.abs(expected).max(), 1e-9)
    return Seen(layer, weights[0], apart, output.dtype)


def _told(seen: list[Seen], ids: tuple[int, ...], place: int, main: Loaded) -> Attention:
    """Layers whose keys are not all of the text's tokens are left out: nobody could say which these are."""
    known = [each for each in seen if each.weights.shape[-1] == len(ids)]
    if not known:
        raise unseen()
    apart = [float(np.array(each.difference)) for each in known]
    bounds = (EXACT if each.precision == mx.float32 else ROUNDED for each in known)
    if not all(one < bound for one, bound in zip(apart, bounds, strict=True)):
        raise unseen()
    texts, heads = [main.spelling.texts[each] for each in ids], list[Head]()
    whole, last = (Goals(ids, texts, rows) for rows in (known[0].weights.shape[1], 1))
    for each in known:
        weights: NDArray[np.float32] = np.array(each.weights)
        before = sum(head.layer == each.layer for head in heads)
        rows = zip(weights[:, -1], last.shares(weights[:, -1:]), whole.shares(weights), strict=True)
        heads += (
            Head(each.layer, before + number, array("f", row.tobytes()), *kind_of(here), *kind_of(mean))
            for number, (row, here, mean) in enumerate(rows)
        )
    return Attention(place, tuple(heads), max(apart))


def unseen() -> RefusedError:
    return RefusedError(tr("What this model's heads attend to can't be seen."), TODO, kind="attention")
