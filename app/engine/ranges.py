"""The ranges of all numbers of a request. No labels, since the settings file is read before the language is set."""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType

from app.engine.types import AT_THE_END, ENDLESS, Sampling
from app.engine.types.request import LARGEST_SEED, RANGE, Range
from app.engine.types.request import limit_text as number

__all__ = ["KV_BITS", "KV_GROUP_SIZES", "LARGEST_SEED", "RANGES", "Range", "number"]

KV_BITS = (2, 3, 4, 5, 6, 8)
KV_GROUP_SIZES = (32, 64, 128)

RANGES: Mapping[str, Range] = MappingProxyType(
    {each.name: each.metadata[RANGE] for each in fields(Sampling)}
    | {
        "max_tokens": Range(1, 1_000_000, 256, whole=True, besides=ENDLESS),
        "think_budget": Range(0, 1_000_000, ENDLESS, whole=True, besides=ENDLESS),
        "observe": Range(0, 20, 0, whole=True, is_token_count=True),
        "draft_tokens": Range(0, 16, 0, whole=True),
        "interval": Range(AT_THE_END, 10_000, 1, whole=True),
        "kv_quantized_start": Range(0, 10_000_000, 0, whole=True),
        "kv_max_size": Range(16, 10_000_000, 16, whole=True),
    }
)
"""Ranges by the setting's name in `app.engine.catalogue`."""
