"""Estimates before an evaluation: the smallest difference that can become significant, and the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import ceil, comb, sqrt
from operator import add
from statistics import NormalDist

from app.engine.text import common_prefix
from app.engine.types import LoadRequest, Model
from app.evaluation.evaluation_run import may_batch
from app.evaluation.likelihood import CONTINUATION
from app.evaluation.paired_tests import CHANCE
from app.evaluation.templates import choices_of
from app.evaluation.types import Evaluation, Scoring
from app.experiments.requests import bounded
from app.i18n import tr
from app.number_format import duration, spoken_speed

CHARACTERS = 4
"""Estimated characters of a token."""


@dataclass(frozen=True, slots=True)
class RecentSpeeds:
    """The latest speeds of a model, in tokens per second."""

    of: LoadRequest
    reading: float
    writing: float


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of one or more rows."""

    prompt: int = 0
    fresh: int = 0
    """Prompt tokens without those that a prompt shares with the one before it, which are in the KV cache."""
    choices: int = 0
    """Estimated tokens of the choices."""
    passes: int = 0
    """Estimated forward passes to score the choices, besides the prefill."""

    def __add__(self, other: TokenCounts) -> TokenCounts:
        return TokenCounts(*map(add, astuple(self), astuple(other)))


def row_counts(ids: Sequence[int], before: Sequence[int], values: Mapping[str, str]) -> TokenCounts:
    """Count the tokens of a row. `ids` are those of its prompt, `before` those of the prompt of the row before it."""
    choices, ending = choices_of(values), values.get(CONTINUATION, "")
    tokens = [ceil(len(ending or each) / CHARACTERS) for each in choices]
    # The logits after the prompt give the first token of a choice; the other tokens need a pass.
    passes = sum(each > 1 for each in tokens) + (len(tokens) if ending else 1)
    return TokenCounts(len(ids), len(ids) - common_prefix(ids, before), sum(tokens), passes)


def expected_seconds(study: Evaluation, model: Model, counts: TokenCounts, speeds: RecentSpeeds) -> float:
    """Return the seconds if each generated answer has max tokens and no rows are batched. `counts`: of all rows."""
    read, rows = counts.fresh if model.can.trim else counts.prompt, len(study.prompts.rows)
    scored = read / speeds.reading
    times = 2 if study.scoring is Scoring.UNCONDITIONAL else 1
    scored += times * (counts.choices / speeds.reading + counts.passes / speeds.writing)
    longest = (None if arm.by_likelihood else bounded(arm.request).limits.max_tokens for arm in study.arms)
    return study.repeats * sum(
        scored if most is None else read / speeds.reading + rows * most / speeds.writing for most in longest
    )


def time_sentence(study: Evaluation, model: Model, counts: TokenCounts, speeds: RecentSpeeds, done: int = 0) -> str:
    """Return a sentence about the expected time; empty if another model has to be loaded. `done`: finished answers.

    For batches it gives both bounds, since their gain isn't known before.
    """
    if any(load != speeds.of for load in (model.opened_by, *(arm.load or model.opened_by for arm in study.arms))):
        return ""
    share = 1 - done / (len(study.arms) * len(study.prompts.rows) * study.repeats)
    seconds = share * expected_seconds(study, model, counts, speeds)
    known = {"most": duration(seconds), "speed": spoken_speed(speeds.writing)}
    if all(arm.by_likelihood for arm in study.arms):
        text = tr("Takes about {most}, with a prefill speed of {speed} (last measured).")
        return text.format(most=known["most"], speed=spoken_speed(speeds.reading))
    if study.together < 2 or not all(may_batch(model, arm.request) and not arm.by_likelihood for arm in study.arms):
        return tr("Takes up to {most} at {speed} (last measured).").format(**known)
    text = tr(
        "Takes up to {most} at {speed} (last measured), or up to {least} if batches of %n rows take no longer "
        "than one row.",
        "Takes up to {most} at {speed} (last measured), or up to {least} if batches of %n row take no longer "
        "than one row.",
        study.together,
    )
    return text.format(**known, least=duration(seconds / study.together))


FOUND = 0.8
"""The power: the probability that a difference of that size is significant."""
PARTED = 0.2
"""The assumed share of rows in which two variants differ. It is at least the difference itself."""
FINE = 0.05
"""Smaller differences have one decimal."""


def smallest(rows: int, among: int = 1) -> float | None:
    """Return the smallest difference that McNemar's exact test finds with 80 % power; None if there is none.

    `among`: the number of compared pairs. The level is that of Holm's first and strictest step.
    """
    strict, often = (NormalDist().inv_cdf(each) for each in (1 - CHANCE / among / 2, FOUND))
    for thousandths in range(1, 1001):
        wanted = thousandths / 1000
        parted = max(PARTED, wanted)
        beyond = rows * wanted - 1 - strict * sqrt(rows * parted)
        if beyond >= often * sqrt(rows * (parted - wanted * wanted)):
            return wanted if wanted < FINE else ceil(thousandths / 10) / 100
    return None


def too_few(rows: int) -> str:
    return tr(
        "%n rows are too few for a significant difference.", "%n row is too few for a significant difference.", rows
    )


def power_sentence(rows: int, repeats: int, arms: int) -> str:
    """Return a sentence about the smallest difference and its assumption; empty without pairs or rows."""
    among = comb(arms, 2)
    if not among or not rows:
        return ""
    found = smallest(rows, among)
    if found is None:
        return too_few(rows)
    text = tr("%n rows can show differences of {points} points", "%n row can show differences of {points} points", rows)
    parts = [text.format(points=f"{100 * found:.{0 if found >= FINE else 1}f}")]
    if repeats > 1:
        parts.append(tr("or smaller ones, since each row has %n answers", "", repeats))
    if among > 1:
        parts.append(tr("corrected for %n comparisons", "", among))
    assumed = tr("80 % power, if the variants differ in one row of five")
    if found > PARTED:
        assumed = tr("80 % power, if the variants differ in no other rows")
    return ", ".join(parts) + f" ({assumed})."
