"""The first pass of a loaded model: checks that it runs, measures its speed, and finds its kind of cache.

A few tokens show whether a plain KV cache supports quantization, batches and draft models. Some models read their cache
themselves, or share it between layers. mlx-lm then fails in the middle of a run, or generates other text without an
error.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.nn.layers.embedding import Embedding
from mlx.nn.layers.quantized import QuantizedEmbedding
from mlx_lm.models.cache import can_trim_prompt_cache, make_prompt_cache

from app.engine.errors import UserError, details_of
from app.engine.mlx import memory
from app.engine.mlx.failures import is_memory, weights_failure
from app.engine.mlx.loaded import has_plain_cache, kv_shape
from app.engine.mlx.prefill import CHUNK_MIN, PrefillPace
from app.engine.model_files.folder import AGAIN
from app.engine.ranges import KV_GROUP_SIZES
from app.engine.types import Failure, KVShape
from app.i18n import tr

WARM_UP_TOKENS = 8
TIMED_TOKENS = (64, 256)
QUICK_S = 0.05
TABLES = (Embedding, QuantizedEmbedding)
BITS = 8
LENGTHS = (20, 3)
"""Lengths of the two texts in one cache, in tokens."""
NEAR, NEAR_IN_HALF = 0.002, 0.02
"""Tolerances relative to the range of the logits, in float32 and in half precision."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The results of the first pass."""

    rows: int
    """Size of the logits: ids below it can be sampled."""
    precision: str
    vocabulary: int
    """Ids below it are valid input: no table of the model has fewer rows."""
    plain_cache: bool
    trims: bool
    bare_loop: bool
    own_cache: bool
    quantises: bool
    batches: bool
    drafts: bool
    kv: KVShape
    pace: PrefillPace


def probe(module: Module, context: int | None = None, dtype: str = "") -> Findings:
    """Run the model on a few tokens; raise UserError if it can't run.

    No more tokens than its context window: MLX reads invalid memory beyond the end of a table of positions.
    `dtype`: as in `LoadRequest`.
    """
    try:
        return _probe(module, context, dtype)
    except Exception as error:
        if is_memory(error) or isinstance(error, UserError):
            failure = weights_failure(error, "")
        else:
            failure = Failure(tr("The model was loaded, but it can't run."), AGAIN, details_of(error))
    finally:
        mx.clear_cache()
    raise UserError.of(failure)


def _probe(module: Module, context: int | None, dtype: str) -> Findings:
    cache = make_prompt_cache(module)
    logits = module(mx.zeros((1, WARM_UP_TOKENS), mx.int32), cache=cache)
    mx.eval(logits)
    if bool(mx.isnan(logits).any()):
        if dtype:
            what = tr("The model computes NaN in {dtype}.").format(dtype=dtype)
            raise UserError(what, tr("Choose another dtype."), kind="weights")
        raise UserError(tr("The model computes NaN: its weights are damaged."), AGAIN, kind="weights")
    plain, rows = has_plain_cache(cache), int(logits.shape[-1])
    vocabulary, shape = vocabulary_of(module, rows), kv_shape(cache) if plain else KVShape()
    return Findings(
        rows=rows,
        precision=str(logits.dtype).rpartition(".")[2],
        vocabulary=vocabulary,
        plain_cache=plain,
        trims=can_trim_prompt_cache(cache),
        bare_loop=_runs_without_cache(module),
        own_cache=hasattr(module, "make_cache"),
        quantises=plain and supports_quantization(module, vocabulary, shape.head_sizes),
        batches=plain and supports_batches(module, vocabulary),
        # mlx-lm counts the layers to split a cache that the model shares with a draft model.
        drafts=plain and len(getattr(module, "layers", ())) == len(cache),
        kv=shape,
        pace=_measure(module, context),
    )


def vocabulary_of(module: Module, rows: int) -> int:
    """Return the number of valid input ids: with an id beyond a table's rows MLX reads invalid memory.

    A model may have several tables: of tokens, of tokens in each layer, of positions. A pass with the largest id finds
    the shorter ones that it reaches; their lookup is intercepted.
    """
    sizes = [int(part.weight.shape[0]) for _, part in module.named_modules() if isinstance(part, TABLES)]
    most = min(rows, max(sizes, default=rows))
    if not any(size < most for size in sizes):
        return most
    with _exceeded_tables() as short, suppress(Exception):  # other errors are found by the pass without interception
        mx.eval(module(mx.full((1, 2), most - 1, mx.int32), cache=make_prompt_cache(module)))
    return min((most, *short))


@contextmanager
def _exceeded_tables() -> Iterator[list[int]]:
    """Collect the sizes of the tables with a lookup beyond their end within this block."""
    short: list[int] = []

    def held(look_up: Callable[[Any, mx.array], mx.array]) -> Callable[[Any, mx.array], mx.array]:
        def looked_up(table: Any, ids: mx.array) -> mx.array:
            size = int(table.weight.shape[0])
            if ids.max().item() >= size:  # type: ignore[operator]
                short.append(size)
            return look_up(table, mx.minimum(ids, size - 1))

        return looked_up

    usual = [kind.__call__ for kind in TABLES]
    for kind, look_up in zip(TABLES, usual, strict=True):
        setattr(kind, "__call__", held(look_up))  # noqa: B010
    try:
        yield short
    finally:
        for kind, look_up in zip(TABLES, usual, strict=True):
            setattr(kind, "__call__", look_up)  # noqa: B010


def _runs_without_cache(module: Module) -> bool:
    try:
        mx.eval(module(mx.zeros((1, 2), mx.int32)))
    except Exception:  # recurrent models may need their state; they can't run without a cache
        return False
    return True


def _measure(module: Module, context: int | None = None) -> PrefillPace:
    """Measure the prefill speed. Metal compiles its kernels for each size at first use, which is not measured."""
    pace = PrefillPace()
    for tokens in TIMED_TOKENS:
        if context is not None and max(tokens, CHUNK_MIN) > context:
            break
        if not memory.on_cpu():
            _prefill(module, tokens)
        started = time.monotonic()
        _prefill(module, tokens)
        seconds = time.monotonic() - started
        pace.learn(tokens, seconds)
        if seconds > QUICK_S:
            break
    return pace


def _prefill(module: Module, tokens: int) -> None:
    cache = make_prompt_cache(module)
    module(mx.zeros((1, max(tokens, CHUNK_MIN)), mx.int32), cache=cache)
    mx.eval([layer.state for layer in cache])


def supports_quantization(module: Module, vocabulary: int, head_sizes: tuple[int, ...]) -> bool:
    """Return whether a quantized cache works. True also if no group size divides the head size."""
    groups = [group for group in KV_GROUP_SIZES if not any(size % group for size in head_sizes)]
    if not groups:
        return True
    cache = _cache_of(module, vocabulary, LENGTHS[1])
    try:
        packed = [layer.to_quantized(groups[0], BITS) for layer in cache]
        for count in (1, 2):
            mx.eval(module(mx.zeros((1, count), mx.int32), cache=packed))
    except Exception:
        return False
    return True


def supports_batches(module: Module, vocabulary: int) -> bool:
    """Return whether a batch of two texts of different lengths gives the same logits as each text alone."""
    last = mx.ones((1, 1), mx.int32)
    caches = [_cache_of(module, vocabulary, length) for length in LENGTHS]
    try:
        together = [pair[0].merge(list(pair)) for pair in zip(*caches, strict=True)]
        both = module(mx.concatenate([last, last]), cache=together)[:, -1]
        alone = mx.concatenate([module(last, cache=cache)[:, -1] for cache in caches])
        near = NEAR if alone.dtype == mx.float32 else NEAR_IN_HALF
        return bool((mx.abs(both - alone).max() <= near * (alone.max() - alone.min())).item())
    except Exception:
        return False


def _cache_of(module: Module, vocabulary: int, length: int) -> list[Any]:
    cache = make_prompt_cache(module)
    module(mx.arange(length)[None] % vocabulary, cache=cache)
    mx.eval([layer.state for layer in cache])
    return list(cache)
