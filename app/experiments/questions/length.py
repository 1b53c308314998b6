"""Experiment `length`: the same prompt with small and large max tokens."""

from collections.abc import Sequence
from statistics import median

from app.engine.types import Failure
from app.experiments.conclusion_text import answer, differs, faster, in_rounds, level, ranged, signed, too_few
from app.experiments.metrics import compare_variants, usual, values
from app.experiments.pace import AT_END, SLOPE, speed_of_last
from app.experiments.requests import bounded, endless, limited, measured
from app.experiments.significance import SMALLEST, Significance, estimate
from app.experiments.types import BaseConfig, Conclusion, Experiment, ExperimentOutcome, Plan, RunResult, Variant
from app.i18n import tr
from app.number_format import two_digits

LENGTHS = (20, 200)
CLAIMS = 2
SPEED = usual("speed_mean")


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan runs of 20 tokens, of 200, and of max tokens; all runs reach their limit."""
    if not basis.model.can.ids:
        what = tr("A server ends its answers itself, so they can't run to max tokens.")
        return Failure(what, tr("Choose a model on this machine."))
    most = bounded(basis.request).limits.max_tokens
    lengths = sorted({length for length in (*LENGTHS, most) if 1 < length <= most})
    if len(lengths) < 2:
        what = tr("Max tokens is {most}, too few to compare with a run of {few}.")
        todo = tr("Set max tokens to more than {few}.").format(few=LENGTHS[0])
        return Failure(what.format(most=most, few=LENGTHS[0]), todo)
    request = endless(measured(basis.request), basis.model)
    arms = tuple(Variant(tr("%n tokens", "%n token", each), limited(request, each)) for each in lengths)
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    """Compare the longest with the shortest run, and test the slope within the longest."""
    arms = outcome.measured()
    if len(arms) < 2:
        return answer(outcome, "")
    few, many = (min(len(run.tokens) for run in outcome.of(arm)) for arm in (arms[0], arms[-1]))
    judged = compare_variants(outcome, arms[0], arms[-1], speed_of_last(few), CLAIMS)
    if judged is None:
        return answer(outcome, "")
    text = tr("{level} between {few} tokens and the last {few} of {many}")
    if differs(judged):
        text = tr("no: the last {few} of {many} tokens are {speed}")
        if judged.ratio < 1:
            text = tr("yes: the last {few} of {many} tokens are {speed}")
    speed = faster(judged, tr("{few} alone", "so many tokens, as the shorter run has").format(few=few))
    text = text.format(level=level(judged), speed=speed, few=few, many=many)
    return answer(outcome, text, [_change(outcome.of(arms[-1]))])


def _change(runs: Sequence[RunResult]) -> str:
    """Return a clause about the slope; a negligible change counts as none."""
    found = estimate(values(runs, SLOPE), CLAIMS)
    if found is None:
        return ""
    unit = tr("{number} tok/s per 100 tokens")
    extent = in_rounds(signed(found.low), signed(found.high), unit, found.rounds)
    if found.verdict is Significance.UNSURE:
        middle = unit.format(number=signed(found.middle))
        return too_few(tr("trend within the longest run"), middle, extent, found.needed)
    whole = abs(found.middle) / 100 * min(len(run.tokens) for run in runs)
    if found.verdict is Significance.SAME or whole < SMALLEST * median(values(runs, SPEED)):
        return ranged(tr("within the longest run no significant trend"), extent)
    text = tr("within the longest run the speed rises by {speed} tok/s per 100 tokens")
    if found.middle < 0:
        text = tr("within the longest run the speed falls by {speed} tok/s per 100 tokens")
    return ranged(text.format(speed=two_digits(abs(found.middle))), extent)


EXPERIMENT = Experiment(
    "length",
    tr("Does length cost speed?"),
    tr("Is the decode speed of a long answer lower than that of a short one?"),
    plan,
    conclude,
    columns=(AT_END, SLOPE),
    max_tokens=600,
    claims=lambda arms: CLAIMS,
)
