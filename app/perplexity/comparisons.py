"""Several comparisons of one text as a table: models and KV caches, with intervals on the log scale."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.definitions import WEIGHING
from app.i18n import tr
from app.number_format import chance
from app.perplexity.result import LEAST_FOR_INTERVAL, MOST_MARGIN, PerplexityResult, as_dict, number, with_margin
from app.perplexity.statistics import PerplexityMetrics, margin

HEAD = (
    tr("Comparison"),
    WEIGHING["perplexity"].name,
    WEIGHING["kl_mean"].name,
    tr("Perplexity ratio"),
    WEIGHING["same_first"].name,
    WEIGHING["bits_per_byte"].name,
)


EMPTY = ("", "", "")
FULL = tr("Full cache")


@dataclass(frozen=True, slots=True)
class NamedComparison:
    """A comparison of a text's first model, or of its full KV cache, with a second one."""

    first: str
    second: str
    result: PerplexityResult


def comparison_rows(found: Sequence[NamedComparison]) -> list[tuple[str, ...]]:
    """Return a row of each first model, and one of each second model. Rows of a part of the text name its tokens."""
    firsts: dict[str, PerplexityMetrics] = {}
    for each in found:
        one = each.result.first
        firsts[each.first] = max(one, firsts.get(each.first, one), key=lambda known: known.tokens)
    most = max((one.tokens for one in firsts.values()), default=0)
    alone = [(_label(name, one, most), _perplexity(one), *EMPTY, _bits(one)) for name, one in firsts.items()]
    pairs = [(_label(each.second, each.result.first, most), each.result) for each in found]
    return [*alone, *((name, *_cells(result)) for name, result in pairs if result.second is not None)]


def log_interval(value: float, error: float | None, tokens: int) -> str:
    """Format a positive value with its 95 % interval on the log scale."""
    if error is None or tokens < LEAST_FOR_INTERVAL or not 0 < value < math.inf:
        return number(value)
    factor = math.exp(min(margin(error / value, tokens), MOST_MARGIN))
    return f"{number(value)} ({number(value / factor)}–{number(value * factor)})"


def _label(name: str, first: PerplexityMetrics, most: int) -> str:
    if first.tokens == most:
        return name
    return tr("{name} (first {tokens} tokens)").format(name=name, tokens=f"{first.tokens:,}")


def _cells(result: PerplexityResult) -> tuple[str, ...]:
    second, between, tokens = result.second, result.between, result.first.tokens
    assert second is not None
    if between is None:
        return (_perplexity(second), *EMPTY, _bits(second))
    own, own_error = between.own_difference, between.own_difference_standard_error
    ratio = ""
    if own is not None:
        factor = math.exp(min(own, MOST_MARGIN))
        ratio = log_interval(factor, None if own_error is None else factor * own_error, tokens)
    is_bounded = between.kl_bounds[0] != between.kl_bounds[1]
    kl = log_interval(between.kl_mean, between.kl_standard_error, tokens)
    kl = with_margin(between, "kl_mean", tokens) if is_bounded else kl
    return (_perplexity(second), kl, ratio, chance(between.same_first), _bits(second))


def _perplexity(found: PerplexityMetrics) -> str:
    return log_interval(found.perplexity, found.perplexity_standard_error, found.tokens)


def _bits(found: PerplexityMetrics) -> str:
    return log_interval(found.bits_per_byte, found.bits_per_byte_standard_error, found.tokens)


def comparisons_text(found: Sequence[NamedComparison]) -> str:
    """Return the table with aligned columns."""
    rows = [HEAD, *comparison_rows(found)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def comparisons_json(found: Sequence[NamedComparison]) -> str:
    """Return the JSON of each comparison, with the names of both sides."""
    data = [{"first": each.first, "second": each.second, **as_dict(each.result)} for each in found]
    return json.dumps({"comparisons": data}, allow_nan=False) + "\n"
