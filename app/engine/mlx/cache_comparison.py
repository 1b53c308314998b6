"""Comparison of KV caches: a text goes through the full cache and through variants of it, in the same chunks.

Within a chunk, attention reads what the cache returns: with a quantized cache, a token sees even its own chunk
quantized, as in decoding. The full cache gets the same chunks, so that the rounding of the kernels cancels out. A full
rotating cache gets one token at a time, as in decoding.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np
from mlx.utils import tree_flatten
from mlx_lm.generate import maybe_quantize_kv_cache
from mlx_lm.models.cache import RotatingKVCache

from app.engine.cache_variants import CHUNK, chunks
from app.engine.distributions import FLOAT_BYTES
from app.engine.errors import UserError
from app.engine.jobs import CompareCaches
from app.engine.mlx.job_context import JobContext
from app.engine.mlx.loaded import LoadedModel
from app.engine.mlx.perplexity import AT_ONCE_BYTES, kl_divergences, score_rows
from app.engine.mlx.validate_request import FitCheck, check_kv
from app.engine.types import KV, CacheScores, CacheVariant, Prefill
from app.i18n import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOGIT_BYTES = 20
"""Bytes for each logit of a chunk: float64 of the full cache, and float32 three times while passes are joined."""


def compare_caches(context: JobContext, ids: tuple[int, ...], job: CompareCaches) -> tuple[CacheScores, ...]:
    """Score the tokens through each cache. Raises PrefillStoppedError after Stop, UserError for an unfit variant."""
    main = context.main
    for variant in job.variants:
        _check(variant, main)
    count = 1 + len(job.variants)
    fit = FitCheck(main.model.kv, KV(), False, context.cache.others.make_room)
    fit.check_prompt(count * len(ids), CHUNK * main.rows * LOGIT_BYTES)
    caches = [main.new_cache(), *(_new_cache(main, variant) for variant in job.variants)]
    for part in chunks(len(ids) - 1, job.variants):
        context.emit(Prefill(part.start, len(ids), time.monotonic()))
        scored = slice(max(0, job.first - 1 - part.start), None)
        own, full = ids[part.start + 1 : part.stop + 1][scored], None
        for number, (cache, found) in enumerate(zip(caches, job.found, strict=True)):
            if number:
                kv = job.variants[number - 1].kv  # an empty cache isn't quantized
                maybe_quantize_kv_cache(cache, max(1, kv.quantized_start), kv.group_size, kv.bits)
            size = _pass_size(job.variants[number - 1], part) if number else CHUNK
            logits = [_forward(context, ids[at : min(at + size, part.stop)], cache) for at in part[::size]]
            full = _score(np.concatenate(logits)[scored], own, main, found, full)
        for cache, found in zip(caches, job.found, strict=True):  # after Stop, all sizes are of the same tokens
            found.bytes = _used_bytes(cache)
    context.emit(Prefill(len(ids), len(ids), time.monotonic()))
    return job.found


def _check(variant: CacheVariant, main: LoadedModel) -> None:
    """Raise UserError if the model can't use this cache.

    A window is allowed for each plain cache, although mlx-lm ignores its size for models that make their own cache.
    """
    if variant.kv.max_size is None:
        check_kv(variant.kv, main)
    elif not main.plain_cache:
        what = tr("The KV cache of this model isn't plain, so a window can't replace it.")
        raise UserError(what, tr("Remove the window, or open another model."), kind="kv")


def _new_cache(main: LoadedModel, variant: CacheVariant) -> list[Any]:
    size = variant.kv.max_size
    return main.new_cache() if size is None else [RotatingKVCache(size, variant.keep) for _ in main.new_cache()]


def _pass_size(variant: CacheVariant, part: range) -> int:
    """Return 1 for a full rotating cache: in a chunk, mlx-lm's mask hides its kept first tokens from most tokens."""
    return 1 if variant.kv.max_size is not None and part.start >= variant.kv.max_size else CHUNK


def _forward(context: JobContext, ids: tuple[int, ...], cache: list[Any]) -> NDArray[np.float32]:
    context.check_stop()
    logits = context.main.forward(ids, cache).astype(mx.float32)
    mx.eval(logits, [layer.state for layer in cache])
    return np.array(logits)


def _score(
    logits: NDArray[np.float32],
    own: tuple[int, ...],
    main: LoadedModel,
    found: CacheScores,
    full: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Score rows in float64, and compare them with the full cache's log-probabilities. Return these."""
    is_full, rows = full is None, max(1, AT_ONCE_BYTES // (FLOAT_BYTES * main.model.vocabulary))
    kept = np.empty(logits.shape) if full is None else full
    for start in range(0, len(own), rows):
        part = slice(start, start + rows)

        def see(logprobs: NDArray[np.float64], part: slice = part) -> None:
            if is_full:
                kept[part] = logprobs
            else:
                found.differences += kl_divergences(kept[part], logprobs)

        found.weights += score_rows(logits[part].astype(np.float64), own[part], main.spelling.texts, see)
    return kept


def _used_bytes(cache: list[Any]) -> int:
    """Return the bytes of keys and values without the unused rest of mlx-lm's arrays."""
    used = 0
    for layer in cache:
        flat: Any = tree_flatten([layer.keys, layer.values])
        used += sum(each.nbytes * min(layer.offset, each.shape[-2]) // each.shape[-2] for _, each in flat)
    return used
