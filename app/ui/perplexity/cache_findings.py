"""Findings of a comparison of KV caches: those of each cache, with a table of all."""

from dataclasses import replace

from app.definitions import WEIGHING
from app.i18n import tr
from app.number_format import chance
from app.perplexity.cache_result import (
    CacheResult,
    VariantResult,
    cache_caution,
    chunk_sentence,
    needle_words,
    variant_sentence,
)
from app.perplexity.comparisons import FULL
from app.perplexity.result import with_margin
from app.ui.perplexity.results import PerplexityFindings, Row, TokenRows, findings


def cache_findings(found: CacheResult, whole: bool) -> list[PerplexityFindings]:
    """Return the findings of each KV cache. `whole`: the measurement is complete."""
    common = {tr("KV caches"): _caches(found)} | ({tr("Planted facts"): _needles(found)} if found.needles else {})
    caution = " ".join(filter(None, (chunk_sentence(found), cache_caution(found, whole))))
    made = []
    for each in found.variants:
        one = findings(each.compared, (FULL, each.name), whole)
        pages = common | one.pages
        made.append(replace(one, sentence=variant_sentence(found, each), caution=caution, pages=pages))
    return made


def _caches(found: CacheResult) -> TokenRows:
    kl, same, own = (WEIGHING[key].name for key in ("kl_mean", "same_first", "own_difference"))
    head = (tr("KV cache"), kl, same, tr("Memory saved"), tr("First break"), own, tr("Bytes/token"))
    return TokenRows(head, [_cache(found, each) for each in found.variants])


def _cache(found: CacheResult, each: VariantResult) -> Row:
    between, tokens = each.compared.between, found.full.first.tokens
    assert between is not None
    size, saved = found.bytes_per_token(each.bytes), found.saved(each) / found.bytes_per_token(found.full_bytes)
    kl, own = (with_margin(between, key, tokens) for key in ("kl_mean", "own_difference"))
    return (each.name, kl, chance(between.same_first), chance(saved), _break(each), own, f"{size:,.0f}")


def _break(each: VariantResult) -> str:
    return tr("token {number}").format(number=f"{each.break_at + 1:,}") if each.break_at is not None else tr("none")


def _needles(found: CacheResult) -> TokenRows:
    head = (tr("Depth"), tr("Distance (tokens)"), FULL, *(each.name for each in found.variants))
    rows = [
        (
            f"{each.depth} %",
            f"{each.distance:,}",
            *(needle_words(each, at) for at in range(len(each.found))),
        )
        for each in found.needles
    ]
    return TokenRows(head, rows)
