"""A run and its replay, token by token: whether they are the same and, if not, where and why perhaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from app.engine.types import Observed
from app.records.candidates import probability
from app.records.types import RunRecord, TokenRecord, Versions

NEAR_TIE = 0.02
"""Probabilities nearer than this are a coin's toss: the smallest change of arithmetic decides between them."""
NAMES = {"app": "Sluice", "mlx": "mlx", "mlx_lm": "mlx-lm", "python": "Python", "system": "system", "chip": "chip"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the two tokens at the first difference. `probability` None: it was not observed."""

    id: int
    text: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`at`: the first token that differs, counted from 0; None when all that both have is the same."""

    sentence: str
    identical: bool
    at: int | None = None
    first: Choice | None = None
    second: Choice | None = None
    near_tie: bool = False
    causes: tuple[str, ...] = ()
    """What was different around the two runs, each as a sentence."""


def compare(
    first: Sequence[TokenRecord],
    second: Sequence[TokenRecord],
    versions: tuple[Versions, Versions] | None = None,
) -> Comparison:
    """Two sequences of tokens; where both runs observed, the probabilities at the first difference are told."""
    causes = _causes(*versions) if versions else ()
    at = _first_difference(first, second)
    if at is None:
        return _same_so_far(len(first), len(second), causes)
    left, right = first[at], second[at]
    ours = Choice(left.id, left.text, _probability(left, left.observed) or _probability(left, right.observed))
    theirs = Choice(right.id, right.text, _probability(right, left.observed) or _probability(right, right.observed))
    near = _is_near(ours, theirs)
    parts = [f"first difference at token {at + 1}: {_told(ours)} became {_told(theirs)}"]
    if near:
        parts.append("a near tie, which the smallest change of arithmetic decides")
    return Comparison("; ".join(parts) + _because(causes), False, at, ours, theirs, near, causes)


def compare_runs(
    first: RunRecord, second: RunRecord, tokens: tuple[Sequence[TokenRecord], Sequence[TokenRecord]]
) -> Comparison:
    """Two runs of the journal."""
    return compare(*tokens, versions=(first.versions, second.versions))


def _first_difference(first: Sequence[TokenRecord], second: Sequence[TokenRecord]) -> int | None:
    for at, (left, right) in enumerate(zip(first, second, strict=False)):
        if left.id != right.id:
            return at
    return None


def _same_so_far(first: int, second: int, causes: tuple[str, ...]) -> Comparison:
    if first == second:
        return Comparison(f"identical, {first} of {first} tokens", True, causes=causes)
    which = "the replay" if second < first else "the first run"
    shorter = min(first, second)
    sentence = f"the same as far as both go: {which} ended after {shorter} of {max(first, second)} tokens"
    return Comparison(sentence, False, causes=causes)


def _probability(token: TokenRecord, observed: Observed | None) -> float | None:
    """How likely the token was where `observed` looked; None if it was not among those recorded."""
    if observed is None:
        return None
    for candidate in (observed.chosen, *observed.top):
        if candidate.id == token.id:
            return probability(candidate)
    return None


def _is_near(ours: Choice, theirs: Choice) -> bool:
    if ours.probability is None or theirs.probability is None:
        return False
    return abs(ours.probability - theirs.probability) <= NEAR_TIE


def _told(choice: Choice) -> str:
    text = choice.text.replace("\n", "⏎")
    likely = "" if choice.probability is None else f" ({choice.probability:.1%})"
    return f"“{text}”{likely}"


def _causes(first: Versions, second: Versions) -> tuple[str, ...]:
    pairs = ((field.name, getattr(first, field.name), getattr(second, field.name)) for field in fields(Versions))
    return tuple(f"{NAMES[name]} was {a}, now {b}" for name, a, b in pairs if a and b and a != b)


def _because(causes: tuple[str, ...]) -> str:
    return f". A likely cause: {'; '.join(causes)}" if causes else ""
