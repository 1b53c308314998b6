"""Descriptions of the effect of sampling settings on a distribution."""

from collections import Counter

from app.engine.ranges import number
from app.engine.sampling_filters import CandidateOutcome, FilteredDistribution, SamplingFilter
from app.engine.types import Sampling
from app.i18n import tr
from app.number_format import PERCENT, bare_chance, chance
from app.ui.tokens.words import legible

OTHERS = tr("others")
SHORT = {SamplingFilter.GREEDY: "T = 0"}
MIN_CHANGE = 0.005
"""Smaller changes aren't mentioned."""


def cost(part: float) -> str:
    """Format a small share of a run's time, in percent."""
    return PERCENT.format(number=f"{100 * part:.1f}") if part >= 0.0005 else tr("less than 0.1 %")


def probability_change(
    before: float, after: float, removed_by: SamplingFilter | None, passed_over: bool = False
) -> str:
    """Describe probabilities before and after, or the filter that removed the token."""
    if removed_by is not None:
        return f"{chance(before)}, {SHORT.get(removed_by, removed_by)}"
    return f"{bare_chance(before)} → {chance(after)}{', XTC' if passed_over else ''}"


def caption(shaped: FilteredDistribution, sampling: Sampling) -> str:
    best = shaped.fates[0]
    if sampling.temperature == 0:
        words = tr("At temperature 0 the top token “{token}” is always sampled.")
        return words.format(token=legible(best.text))
    sentences = _describe_removed(shaped), _passed_over(shaped, sampling), _moved(shaped)
    return " ".join(filter(None, sentences)) or tr("These settings change no probability.")


def note(shaped: FilteredDistribution) -> str:
    """Describe the estimated and the missing parts of the chart."""
    return " ".join(filter(None, (_rest_note(shaped), left_out(shaped))))


def left_out(shaped: FilteredDistribution) -> str:
    words = tr("{filter} is left out: the run did not record what it needs.")
    return " ".join(words.format(filter=f"{each[0].upper()}{each[1:]}") for each in shaped.left_out)


def _rest_note(shaped: FilteredDistribution) -> str:
    if not shaped.rest_before:
        return ""
    words = tr("“{others}” is the sum of all tokens below the top {count}.")
    if not shaped.exact:
        words = tr(
            "“{others}” is the sum of all tokens below the top {count}. Only this sum is recorded, so “after” "
            "values are estimates."
        )
    return words.format(count=len(shaped.fates), others=OTHERS)


def spoken(shaped: FilteredDistribution) -> str:
    """Describe all rows for screen readers."""
    rows = [_row(fate) for fate in shaped.fates]
    if shaped.rest_before:
        rows.append(_describe(tr("all others"), shaped.rest_before, shaped.rest_after, shaped.rest_removed_by))
    return "; ".join(rows) + "."


def _row(fate: CandidateOutcome) -> str:
    words = _describe(f"“{legible(fate.text)}”", fate.before, fate.after, fate.removed_by)
    return tr("{row}, sometimes removed by XTC").format(row=words) if fate.passed_over else words


def _describe(name: str, before: float, after: float, removed_by: SamplingFilter | None) -> str:
    words = tr("{name} {before} before, {after} after")
    if removed_by is not None:
        words = tr("{name} {before} before, removed by {stage}")
    return words.format(name=name, before=chance(before), after=chance(after), stage=removed_by)


def _describe_removed(shaped: FilteredDistribution) -> str:
    counts = Counter(fate.removed_by for fate in shaped.fates if fate.removed_by is not None)
    taker = shaped.rest_removed_by
    parts = []
    for stage in SamplingFilter:
        if counts[stage]:
            words = tr("{stage} removes {count} of {all}")
            if stage is taker:
                words = tr("{stage} removes {count} of {all} and all others")
            parts.append(words.format(stage=stage, count=counts[stage], all=len(shaped.fates)))
    if taker is not None and not counts[taker]:
        parts.append(tr("{stage} removes all others").format(stage=taker))
    sentence = ", ".join(parts)
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def _passed_over(shaped: FilteredDistribution, sampling: Sampling) -> str:
    passed = sum(fate.passed_over for fate in shaped.fates)
    if not passed:
        return ""
    words = tr("XTC removes {count} at {chance} of the tokens.")
    return words.format(count=number(passed), chance=chance(sampling.xtc_probability))


def _moved(shaped: FilteredDistribution) -> str:
    best = shaped.fates[0]
    if best.removed_by is not None or abs(best.after - best.before) < MIN_CHANGE:
        return ""
    words = tr("“{token}” falls from {before} to {after}.")
    if best.after > best.before:
        words = tr("“{token}” rises from {before} to {after}.")
    return words.format(token=legible(best.text), before=bare_chance(best.before), after=chance(best.after))
