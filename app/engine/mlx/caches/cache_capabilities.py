"""Tests with a few tokens whether a plain KV cache supports quantization, batches and draft models.

Some models read their cache themselves, or share it between layers. mlx-lm then fails in the middle of a run, or
generates other text without an error.
"""

from typing import Any

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx_lm.models.cache import make_prompt_cache

from app.engine.ranges import KV_GROUP_SIZES

BITS = 8
LENGTHS = (20, 3)
"""Lengths of the two texts in one cache, in tokens."""
NEAR, NEAR_IN_HALF = 0.002, 0.02
"""Tolerances relative to the range of the logits, in float32 and in half precision."""


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


def supports_draft(module: Module, cache: list[Any]) -> bool:
    """Return whether mlx-lm can split a cache that the model shares with a draft model: it counts the layers."""
    return len(getattr(module, "layers", ())) == len(cache)


def _cache_of(module: Module, vocabulary: int, length: int) -> list[Any]:
    """Return the cache of a text of this many different tokens."""
    cache = make_prompt_cache(module)
    module(mx.arange(length)[None] % vocabulary, cache=cache)
    mx.eval([layer.state for layer in cache])
    return list(cache)
