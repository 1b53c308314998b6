"""Results of a perplexity measurement, as values, sentences and JSON."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.engine.types import ExactPrompt, TokenScore
from app.i18n import tr
from app.number_format import chance, minus, with_error
from app.perplexity.statistics import (
    STRETCH,
    ModelDifference,
    PerplexityMetrics,
    by_context,
    by_kind,
    by_stretch,
    margin,
)

MOST_CHANGED = 100
ERRORS = {"nats_per_token": "standard_error", "kl_mean": "kl_standard_error"}
"""JSON keys of standard errors that don't follow the pattern `KEY_standard_error`."""
LEAST_FOR_INTERVAL = 3 * STRETCH + 1
"""Minimum number of tokens for a confidence interval: with fewer than four blocks it is wider than any difference."""
MOST_MARGIN = 100.0
"""In nats; a larger one has no finite exponential."""
OTHER_VOCABULARY = tr("The models have different vocabularies: only their bits per byte can be compared.")


@dataclass(frozen=True, slots=True)
class ChangedToken:
    """A token of the text, with the top-1 tokens of two models. Its fields are keys of the JSON."""

    place: int
    """Position in the prompt's tokens."""
    text: str
    kl: float
    own_difference: float
    """The second model's surprisal minus the first one's, in nats."""
    first: str
    first_probability: float
    second: str
    second_probability: float


@dataclass(frozen=True, slots=True)
class PerplexityResult:
    """Statistics of one or two models; `between` compares models with the same vocabulary."""

    prompt: ExactPrompt
    positions: tuple[int, ...]
    """Positions of the scored tokens in the prompt."""
    weights: tuple[TokenScore, ...]
    before: tuple[int, ...]
    """Number of context tokens of each."""
    first: PerplexityMetrics
    windows: int = 1
    second: PerplexityMetrics | None = None
    between: ModelDifference | None = None
    others: tuple[TokenScore, ...] = ()
    """The second model's scores, if both have the same vocabulary."""

    @property
    def kl(self) -> tuple[float, ...]:
        return self.between.kl_each if self.between is not None else ()

    def text(self, position: int) -> str:
        return self.prompt.text[slice(*self.prompt.offsets[position])]

    def own(self, number: int) -> float:
        """Return the second model's surprisal of this token minus the first one's, in nats."""
        return self.weights[number].logprob - self.others[number].logprob


def changed(found: PerplexityResult, most: int = MOST_CHANGED) -> list[ChangedToken]:
    made = []
    for number in sorted(range(len(found.kl)), key=lambda number: -found.kl[number])[:most]:
        position, one, other = found.positions[number], found.weights[number], found.others[number]
        differences = found.kl[number], found.own(number)
        tops = one.likeliest_text, one.likeliest_probability, other.likeliest_text, other.likeliest_probability
        made.append(ChangedToken(position, found.text(position), *differences, *tops))
    return made


def as_json(found: PerplexityResult) -> str:
    return json.dumps(as_dict(found), allow_nan=False) + "\n"


def as_dict(found: PerplexityResult) -> dict[str, Any]:
    """Return the keys of the JSON; those of comparisons are in the first model's object."""
    nats = found.first.each
    data = asdict(found.first) | {"windows": found.windows}
    data["kinds"] = _as_dicts(by_kind(found.prompt, found.positions, nats, found.kl))
    data["stretches"] = _as_dicts(by_stretch(nats, found.kl))
    data["by_context"] = _as_dicts(by_context(found.before, nats, found.kl))
    if found.second is not None:
        data["against"] = asdict(found.second)
    if found.between is not None:
        data |= asdict(found.between) | {"changed": _as_dicts(changed(found))}
    return data


def _as_dicts(each: Sequence[object]) -> list[dict[str, object]]:
    return [asdict(one) for one in each]  # type: ignore[call-overload]


def sentence(found: PerplexityResult) -> str:
    one, other, apart = found.first, found.second, found.between
    if apart is not None:
        words = tr(
            "KL divergence {kl} nats per token; same top-1 token {same}. With the second model, the text is {own} nats "
            "per token less likely."
        )
        kl, own = (with_margin(apart, name, one.tokens) for name in ("kl_mean", "own_difference"))
        return words.format(kl=kl, same=chance(apart.same_first), own=own or number(0.0))
    if other is None:
        return metrics_sentence(one)
    first, second = (with_margin(each, "bits_per_byte") for each in (one, other))
    return tr("{first} and {second} bits per byte.").format(first=first, second=second)


def metrics_sentence(one: PerplexityMetrics) -> str:
    words = tr("{nats} nats per token over {tokens} tokens: perplexity {perplexity}, {bits} bits per byte.")
    nats, perplexity, bits = (with_margin(one, name) for name in ("nats_per_token", "perplexity", "bits_per_byte"))
    return words.format(nats=nats, tokens=f"{one.tokens:,}", perplexity=perplexity, bits=bits)


def as_text(found: PerplexityResult) -> str:
    """Return one line per model, and one for their differences."""
    lines = [
        *(metrics_sentence(each) for each in (found.first, found.second) if each),
        *([sentence(found)] if found.second else []),
    ]
    return "\n".join(filter(None, (*lines, caution(found)))) + "\n"


def caution(found: PerplexityResult, whole: bool = True) -> str:
    """Return a caution as a sentence. `whole` False: the measurement was stopped."""
    half = tr(
        "Longer than the context window: scored in %n windows. Each starts half a window after the one before.",
        "",
        found.windows,
    )
    both = tr("Stopped: these values cover the part that both models have scored.")
    short = short_caution(found.first.tokens)
    data = {
        both if found.second else tr("Stopped: these values cover the part that was scored."): not whole,
        half: found.windows > 1,
        short: bool(short),
        OTHER_VOCABULARY: found.second is not None and found.between is None,
    }
    return " ".join(words for words, counts in data.items() if counts)


def short_caution(tokens: int) -> str:
    if tokens >= LEAST_FOR_INTERVAL:
        return ""
    return tr("Fewer than {least} tokens: too short for a confidence interval.").format(least=LEAST_FOR_INTERVAL)


def with_margin(found: object, name: str, tokens: int = 0) -> str:
    """Format a mean with its 95 % margin, or its bounds if distributions were stored in part.

    The margin of a perplexity is a factor, since its logarithm is the mean.
    """
    value, bounds = getattr(found, name), getattr(found, "kl_bounds", (0.0, 0.0))
    if value is None:
        return ""
    if name == "kl_mean" and bounds[0] != bounds[1]:
        return tr("{low} to {high}").format(low=number(bounds[0]), high=number(bounds[1]))
    error = getattr(found, ERRORS.get(name, f"{name}_standard_error"))
    tokens = tokens or getattr(found, "tokens", 0)
    if error is None or tokens < LEAST_FOR_INTERVAL or math.isinf(value):
        return number(value)
    if name == "perplexity":
        return f"{number(value)} ×/÷ {number(math.exp(min(margin(error / value, tokens), MOST_MARGIN)))}"
    return with_error(value, margin(error, tokens), number)


def number(value: float) -> str:
    """Format a number with at most four digits, or two significant ones."""
    digits = 1 if abs(value) >= 99.995 else 2 if abs(value) >= 9.9995 else 3
    return minus(f"{value:,.{digits}f}" if abs(value) >= 0.1 or not value else f"{value:.2g}")
