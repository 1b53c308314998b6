"""Estimates before an evaluation: the smallest difference that can become significant, and the longest time."""

from dataclasses import dataclass
from math import ceil, comb, sqrt
from statistics import NormalDist

from app.engine.types import LoadRequest, Model
from app.evaluation.evaluation_run import may_batch
from app.evaluation.paired_tests import CHANCE
from app.evaluation.types import Evaluation
from app.experiments.requests import bounded
from app.i18n import tr
from app.number_format import duration, spoken_speed


@dataclass(frozen=True, slots=True)
class RecentSpeeds:
    """The latest speeds of a model, in tokens per second."""

    of: LoadRequest
    reading: float
    writing: float


def most_seconds(study: Evaluation, prompt_tokens: int, speeds: RecentSpeeds, done: int = 0) -> float:
    """Return the seconds if each answer has max tokens and no rows are batched.

    `prompt_tokens`: of all rows; `done`: number of finished answers.
    """
    rows, arms = len(study.prompts.rows), len(study.arms)
    longest = sum(bounded(arm.request).limits.max_tokens for arm in study.arms)
    seconds = study.repeats * (arms * prompt_tokens / speeds.reading + rows * longest / speeds.writing)
    return seconds * (1 - done / (arms * rows * study.repeats))


def time_sentence(study: Evaluation, model: Model, prompt_tokens: int, speeds: RecentSpeeds, done: int = 0) -> str:
    """Return a sentence about the longest time; empty if another model has to be loaded.

    For batches it gives both bounds, since their gain isn't known before.
    """
    if any(load != speeds.of for load in (model.opened_by, *(arm.load or model.opened_by for arm in study.arms))):
        return ""
    seconds = most_seconds(study, prompt_tokens, speeds, done)
    known = {"most": duration(seconds), "speed": spoken_speed(speeds.writing)}
    if study.together < 2 or not all(may_batch(model, arm.request) for arm in study.arms):
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


def power_sentence(rows: int, repeats: int, arms: int) -> str:
    """Return a sentence about the smallest difference and its assumption; empty without pairs or rows."""
    among = comb(arms, 2)
    if not among or not rows:
        return ""
    found = smallest(rows, among)
    if found is None:
        return tr(
            "%n rows are too few for a significant difference.", "%n row is too few for a significant difference.", rows
        )
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
