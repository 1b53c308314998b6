"""Results of a comparison of KV caches, as values, sentences and JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from app.engine.cache_variants import CHUNK, variant_name
from app.engine.types import CacheVariant
from app.i18n import tr
from app.number_format import chance
from app.perplexity.result import PerplexityResult, as_dict, metrics_sentence, number, short_caution, with_margin

BREAK_NATS = 0.5
BREAK_RUN, BREAK_COUNT = 8, 4
"""A cache breaks at a token with a KL divergence of BREAK_NATS if BREAK_COUNT of BREAK_RUN tokens from it on have that.

Single tokens with a large KL divergence are usual, since a small error changes a close choice.
"""


@dataclass(frozen=True, slots=True)
class VariantResult:
    variant: CacheVariant
    compared: PerplexityResult
    """The full cache is the first model, the variant the second one."""
    bytes: int
    break_at: int | None
    """Position of the token where the cache breaks; None: nowhere."""

    @property
    def name(self) -> str:
        return variant_name(self.variant)


@dataclass(frozen=True, slots=True)
class NeedleResult:
    """A planted fact, and whether each cache's model completes it, the full cache first."""

    depth: int
    planted: int
    distance: int
    """Tokens between the planted code and the place where it is asked for."""
    found: tuple[bool, ...]
    """Whether each token of the code is the most likely one."""
    logprobs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CacheResult:
    full: PerplexityResult
    full_bytes: int
    variants: tuple[VariantResult, ...]
    needles: tuple[NeedleResult, ...]
    tokens: int
    """Tokens in the cache at its end, including the first one, which isn't scored."""
    is_cut: bool
    """Whether the text is longer than the context window."""

    def bytes_per_token(self, size: int) -> float:
        return size / max(1, self.tokens - 1)

    def saved(self, variant: VariantResult) -> float:
        """Return the saved bytes per token of the text."""
        return self.bytes_per_token(self.full_bytes - variant.bytes)


def break_position(kl: Sequence[float]) -> int | None:
    """Return the index of the first token at which a cache breaks."""
    large = [each >= BREAK_NATS for each in kl]
    return next((at for at in range(len(kl)) if large[at] and sum(large[at : at + BREAK_RUN]) >= BREAK_COUNT), None)


def chunk_sentence(found: CacheResult) -> str:
    words = tr("The text was passed in chunks of {size} tokens.").format(size=CHUNK)
    if any((each.variant.kv.max_size or found.tokens) < found.tokens for each in found.variants):
        return " ".join((words, tr("A full window got one token at a time.")))
    return words


def cache_caution(found: CacheResult, whole: bool = True) -> str:
    short = short_caution(found.full.first.tokens)
    data = {
        tr("Stopped: these values cover the part that was scored."): not whole,
        tr("The text is longer than the context window: only its beginning was scored."): found.is_cut,
        short: bool(short),
        tr("The model doesn't find the planted facts with the full cache either."): bool(found.needles)
        and not any(each.found[0] for each in found.needles),
    }
    return " ".join(words for words, counts in data.items() if counts)


def variant_sentence(found: CacheResult, each: VariantResult) -> str:
    between, tokens = each.compared.between, found.full.first.tokens
    assert between is not None
    words = tr(
        "{name}: KL divergence {kl} nats per token; same top-1 token {same}; the text {own} nats per token less "
        "likely; {saved} bytes per token saved; {breaks}."
    )
    kl, own = (with_margin(between, name, tokens) for name in ("kl_mean", "own_difference"))
    values = {"kl": kl, "own": own or number(0.0), "same": chance(between.same_first)}
    return words.format(name=each.name, saved=f"{found.saved(each):,.0f}", breaks=break_words(each), **values)


def break_words(each: VariantResult) -> str:
    if each.break_at is None:
        return tr("no break")
    return tr("breaks at token {token}").format(token=f"{each.break_at + 1:,}")


def needle_words(each: NeedleResult, number: int) -> str:
    return tr("found") if each.found[number] else tr("lost")


def cache_text(found: CacheResult) -> str:
    """Return one line for the full cache, one for each variant and one for each needle."""
    lines = [metrics_sentence(found.full.first), *(variant_sentence(found, each) for each in found.variants)]
    names = [tr("full"), *(each.name for each in found.variants)]
    for needle in found.needles:
        words = tr("Planted fact at {depth} %, {distance} tokens before the question: {found}.")
        each = "; ".join(f"{name} {needle_words(needle, at)}" for at, name in enumerate(names))
        lines.append(words.format(depth=needle.depth, distance=f"{needle.distance:,}", found=each))
    return "\n".join(filter(None, (*lines, chunk_sentence(found), cache_caution(found)))) + "\n"


def cache_json(found: CacheResult) -> str:
    """Return the result as JSON: the keys of the full cache's perplexity, and `kv` with each variant."""
    data = as_dict(found.full) | {
        "kv_bytes_per_token": found.bytes_per_token(found.full_bytes),
        "kv_chunk": CHUNK,
        "kv_break": {"nats": BREAK_NATS, "count": BREAK_COUNT, "run": BREAK_RUN},
        "kv": [_variant_dict(found, each) for each in found.variants],
        "needles": [asdict(each) for each in found.needles],
    }
    return json.dumps(data, allow_nan=False) + "\n"


def _variant_dict(found: CacheResult, each: VariantResult) -> dict[str, object]:
    between, second = each.compared.between, each.compared.second
    assert between is not None and second is not None
    kv = each.variant.kv
    about: dict[str, object] = {"name": each.name, "bits": kv.bits}
    about |= {"group_size": kv.group_size, "start": kv.quantized_start}
    about |= {"window": kv.max_size, "keep": each.variant.keep if kv.max_size is not None else None}
    about |= {"bytes_per_token": found.bytes_per_token(each.bytes), "saved_bytes_per_token": found.saved(each)}
    return about | {"break_at": each.break_at, "logprobs": [-nats for nats in second.each]} | asdict(between)
