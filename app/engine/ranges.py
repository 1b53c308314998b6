"""The ranges of all numbers of a request, and the check of settings from a file against them.

No labels, since the settings file is read before the language is set.
"""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import TypeVar

from app.engine.types import AT_THE_END, AUTOMATIC, ENDLESS, KV, WRITTEN, Argument, Limits, OutputFormat, Sampling
from app.engine.types.request import LARGEST_SEED, RANGE, NumberRange
from app.engine.types.request import limit_text as number

__all__ = ["KV_BITS", "KV_GROUP_SIZES", "LARGEST_SEED", "RANGES", "NumberRange", "number"]

KV_BITS = (2, 3, 4, 5, 6, 8)
KV_GROUP_SIZES = (32, 64, 128)

RANGES: Mapping[str, NumberRange] = MappingProxyType(
    {each.name: each.metadata[RANGE] for each in fields(Sampling)}
    | {
        "max_tokens": NumberRange(1, 1_000_000, 256, whole=True, besides=ENDLESS),
        "think_budget": NumberRange(0, 1_000_000, ENDLESS, whole=True, besides=ENDLESS),
        "observe": NumberRange(0, 20, 0, whole=True, is_token_count=True),
        "draft_tokens": NumberRange(0, 16, 0, whole=True, besides=AUTOMATIC),
        "lookup_tokens": NumberRange(0, 16, 0, whole=True, besides=AUTOMATIC),
        "interval": NumberRange(AT_THE_END, 10_000, 1, whole=True),
        "prefill_step": NumberRange(16, 8_192, 0, whole=True, besides=0),
        "kv_quantized_start": NumberRange(0, 10_000_000, 0, whole=True),
        "kv_max_size": NumberRange(16, 10_000_000, 16, whole=True),
    }
)
"""Ranges by the setting's name in `app.engine.catalogue`."""


Arguments = tuple[tuple[str, Argument], ...]
Numbers = TypeVar("Numbers", Sampling, Limits)

MOST_ITEMS = 1_000
"""Stop strings and logit biases: each is a row in the panel."""
LONGEST_STRING = 1_000
LONGEST_FORM = 200_000


def clamped_sampling(raw: Sampling) -> Sampling:
    bias = RANGES["logit_bias"]
    fit = [(token, value) for token, value in raw.logit_bias if token >= 0 and bias.allows(value)]
    seed = raw.seed if RANGES["seed"].allows(raw.seed) else Sampling().seed
    return replace(_with_defaults(raw), logit_bias=tuple(fit[:MOST_ITEMS]), seed=seed)


def clamped_limits(raw: Limits) -> Limits:
    ids = [token for token in raw.stop_ids if token >= 0]
    return replace(
        _with_defaults(raw), stop_strings=clamped_strings(raw.stop_strings), stop_ids=tuple(ids[:MOST_ITEMS])
    )


def clamped_strings(raw: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in raw if 0 < len(text) <= LONGEST_STRING)[:MOST_ITEMS]


def clamped_kv(raw: KV) -> KV:
    fits = raw.bits in (None, *KV_BITS) and raw.group_size in KV_GROUP_SIZES
    start, size = RANGES["kv_quantized_start"], RANGES["kv_max_size"]
    fits = fits and start.allows(raw.quantized_start) and (raw.max_size is None or size.allows(raw.max_size))
    return raw if fits else KV()


def clamped_format(raw: OutputFormat) -> OutputFormat:
    """Drop texts that are too long; those of other formats stay."""
    too_long = {kind.value: "" for kind in WRITTEN if len(getattr(raw, kind.value)) > LONGEST_FORM}
    return replace(raw, **too_long)  # type: ignore[arg-type]


def clamped_seed(seed: int | None) -> int | None:
    return seed if seed is not None and RANGES["seed"].allows(seed) else None


def clamped_arguments(arguments: Arguments) -> Arguments:
    """Drop infinite arguments of a template: JSON has no number for them."""
    fit = [pair for pair in arguments if not isinstance(pair[1], float) or math.isfinite(pair[1])]
    return tuple(fit[:MOST_ITEMS])


def clamped_number(name: str, value: int, usual: int) -> int:
    """Return a number if it is in the range of its setting, else the usual one."""
    return value if RANGES[name].allows(value) else usual


def _with_defaults(raw: Numbers) -> Numbers:
    fresh = type(raw)()
    names = [each.name for each in fields(raw) if each.name in RANGES and each.name not in ("logit_bias", "seed")]
    wrong = {name: getattr(fresh, name) for name in names if not RANGES[name].allows(getattr(raw, name))}
    return replace(raw, **wrong)
