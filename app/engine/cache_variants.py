"""Variants of the KV cache that are compared with the full one: their notation, their names, and the chunks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.engine.ranges import KV_BITS, KV_GROUP_SIZES, RANGES
from app.engine.types import KV, CacheVariant, Model
from app.i18n import tr

CHUNK = 128
"""Tokens of one pass."""
MOST_VARIANTS = 8
QUANTIZED = re.compile(r"(\d+)(?::(\d+))?(?:@(\d+))?")
ROTATING = re.compile(r"window:(\d+)(?::(\d+))?")


def parse_variants(text: str) -> tuple[CacheVariant, ...]:
    """Return the variants of a text such as `8,4:32@512,window:256:4`. Raises ValueError with a sentence."""
    found = tuple(dict.fromkeys(_parse(each.strip()) for each in text.split(",") if each.strip()))
    if not 0 < len(found) <= MOST_VARIANTS:
        raise ValueError(tr("Name between 1 and {most} KV cache variants.").format(most=MOST_VARIANTS))
    return found


def _parse(text: str) -> CacheVariant:
    if rotating := ROTATING.fullmatch(text):
        size, keep = int(rotating[1]), int(rotating[2] or CacheVariant(KV()).keep)
        if RANGES["kv_max_size"].allows(size) and keep < size:
            return CacheVariant(KV(max_size=size), keep)
        words = tr("“{text}”: a window has {range} tokens, and keeps fewer first tokens than that.")
        raise ValueError(words.format(text=text, range=RANGES["kv_max_size"]))
    if quantized := QUANTIZED.fullmatch(text):
        bits, group, start = int(quantized[1]), int(quantized[2] or KV().group_size), int(quantized[3] or 0)
        if bits in KV_BITS and group in KV_GROUP_SIZES and RANGES["kv_quantized_start"].allows(start):
            return CacheVariant(KV(bits=bits, group_size=group, quantized_start=start))
        words = tr("“{text}”: mlx-lm quantizes to {bits} bits, in groups of {groups}.")
        raise ValueError(words.format(text=text, bits=_listed(KV_BITS), groups=_listed(KV_GROUP_SIZES)))
    if "+" in text:
        raise ValueError(tr("“{text}”: mlx-lm can't quantize a rotating KV cache.").format(text=text))
    words = tr("“{text}” is not a KV cache variant. Examples: 8, 4@512, window:256:4.")
    raise ValueError(words.format(text=text))


def _listed(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def variant_name(variant: CacheVariant) -> str:
    kv = variant.kv
    if kv.max_size is not None:
        words = tr("Window of {size} tokens, first {keep} kept")
        return words.format(size=f"{kv.max_size:,}", keep=variant.keep)
    name = tr("{bits}-bit, groups of {group}").format(bits=kv.bits, group=kv.group_size)
    start = kv.quantized_start
    return tr("{name}, from token {start}").format(name=name, start=f"{start + 1:,}") if start else name


def fitted(variant: CacheVariant, model: Model) -> CacheVariant:
    """Return the variant with a group size that divides the model's head sizes, if there is one."""
    group = group_for(model, variant.kv.group_size)
    return replace(variant, kv=replace(variant.kv, group_size=group)) if group is not None else variant


def group_for(model: Model, wished: int) -> int | None:
    """Return the requested group size if it divides the size of every head, else the largest that does."""
    sizes = (wished, *reversed(KV_GROUP_SIZES))
    return next((size for size in sizes if all(head % size == 0 for head in model.kv.head_sizes)), None)


def chunks(length: int, variants: Sequence[CacheVariant]) -> Iterator[range]:
    """Divide tokens into chunks. One begins where a cache is quantized, and one where a rotating cache is full.

    The first token is a chunk of its own: mlx-lm's empty quantized cache fails for some bits and head sizes.
    """
    starts = {each.kv.max_size or each.kv.quantized_start for each in variants}
    bounds = [*sorted(each for each in starts | {1} if 0 < each < length), length]
    start = 0
    for bound in bounds:
        for first in range(start, bound, CHUNK):
            yield range(first, min(first + CHUNK, bound))
        start = bound
