"""Token-by-token comparison of a run with its rerun: the first difference and its likely causes."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import log

from app import number_format
from app.engine.text import common_prefix
from app.engine.types import Request, TokenLogprobs
from app.i18n import tr
from app.records.types import TokenRecord, Versions

STEPS = {"bfloat16": 0.126, "float16": 0.016}
"""Tolerance of logits: slightly more than one ULP of a logit between 16 and 32."""
ROUNDING = 0.001
"""Tolerance for other precisions: more than another summation order changes a logit."""
NAMES = {
    "app": "Sluice",
    "mlx": "mlx",
    "mlx_lm": "mlx-lm",
    "python": "Python",
    "system": tr("system", "the operating system"),
    "chip": tr("chip"),
}


@dataclass(frozen=True, slots=True)
class RerunComparison:
    """Result of the comparison. `at`: the first different token, from 0; None if there is none in the shorter run."""

    sentence: str
    identical: bool
    at: int | None = None
    causes: tuple[str, ...] = ()
    """Differences between the two runs' environments, as sentences."""


def near_tie(request: Request, precision: str) -> float:
    """Return the logit difference up to which rounding can decide; 0.0 if tokens are sampled."""
    return 0.0 if request.sampling.temperature > 0 else STEPS.get(precision, ROUNDING)


def compare(
    first: Sequence[TokenRecord],
    second: Sequence[TokenRecord],
    versions: tuple[Versions, Versions] | None = None,
    near: float = 0.0,
) -> RerunComparison:
    """Compare two token sequences; the sentence includes the probabilities at the first difference, if recorded.

    Logits that differ by less than `near` are a near tie.
    """
    causes = _causes(*versions) if versions else ()
    at = common_prefix(*([token.id for token in run] for run in (first, second)))
    if at == min(len(first), len(second)):
        return _same_so_far(len(first), len(second), causes)
    pair = (first[at], second[at])
    ours, theirs = (_probability(token, pair[0].observed) or _probability(token, pair[1].observed) for token in pair)
    words = tr("first difference at token {number}: {before} became {after}")
    if ours and theirs and abs(log(ours / theirs)) < near:
        words = tr("first difference at token {number}: {before} became {after}; near tie: rounding alone can flip it")
    sentence = words.format(number=at + 1, before=_token_text(pair[0], ours), after=_token_text(pair[1], theirs))
    return RerunComparison(_because(sentence, causes), False, at, causes)


def _same_so_far(first: int, second: int, causes: tuple[str, ...]) -> RerunComparison:
    if first == second:
        return RerunComparison(tr("identical, {count} of {count} tokens").format(count=first), True, causes=causes)
    words = tr("identical up to the end of the first run, {count} of {all} tokens")
    if second < first:
        words = tr("identical up to the end of the rerun, {count} of {all} tokens")
    return RerunComparison(words.format(count=min(first, second), all=max(first, second)), False, causes=causes)


def _probability(token: TokenRecord, observed: TokenLogprobs | None) -> float | None:
    """Return the token's probability in `observed`; None if it wasn't recorded."""
    if observed is None:
        return None
    for candidate in (observed.chosen, *observed.top):
        if candidate.id == token.id:
            return candidate.probability
    return None


def _token_text(token: TokenRecord, probability: float | None) -> str:
    text = token.text.replace("\n", "⏎")
    likely = "" if probability is None else f" ({number_format.chance(probability)})"
    return f"“{text}”{likely}"


def _causes(first: Versions, second: Versions) -> tuple[str, ...]:
    pairs = ((field.name, getattr(first, field.name), getattr(second, field.name)) for field in fields(Versions))
    words = tr("{what} was {before}, now {after}")
    return tuple(words.format(what=NAMES[name], before=a, after=b) for name, a, b in pairs if a and b and a != b)


def _because(sentence: str, causes: tuple[str, ...]) -> str:
    if not causes:
        return sentence
    return tr("{sentence}. A likely cause: {causes}").format(sentence=sentence, causes="; ".join(causes))
