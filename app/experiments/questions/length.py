"""Whether length costs speed: the same prompt, cut off early and late."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from app.engine.types import Failure
from app.experiments.figures import usual, values
from app.experiments.pace import AT_END, SLOPE
from app.experiments.requests import bounded, endless, limited, measured
from app.experiments.significance import CHANCE, judge
from app.experiments.types import Arm, Basis, Conclusion, Experiment, Outcome, Plan
from app.experiments.wording import UNMEASURED, beside, differs, doubtful, noise, sentence, vouched
from app.figures import three_digits
from app.words import tr

LENGTHS = (20, 200)
SPEED = usual("speed_mean")


def plan(basis: Basis) -> Plan | Failure:
    """20 tokens, 200, and as many as the basis says; the texts run to their limits."""
    if not basis.model.can.ids:
        what = tr("A server ends its answers itself, so they can't be made to run to the limit.")
        return Failure(what, tr("Choose a model on this machine."))
    most = bounded(basis.request).limits.max_tokens
    lengths = sorted({length for length in (*LENGTHS, most) if 1 < length <= most})
    if len(lengths) < 2:
        what = tr("Max tokens is {most}, which leaves nothing to compare with a run of {few}.")
        todo = tr("Set max tokens to more than {few}.").format(few=LENGTHS[0])
        return Failure(what.format(most=most, few=LENGTHS[0]), todo)
    request = endless(measured(basis.request), basis.model)
    arms = tuple(Arm(tr("%n tokens", "%n token", each), limited(request, each)) for each in lengths)
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: Outcome) -> Conclusion:
    """The longest beside the shortest, and how the speed falls within the longest."""
    arms = outcome.measured()
    if len(arms) < 2:
        return Conclusion(UNMEASURED)
    short, long = outcome.of(arms[0]), outcome.of(arms[-1])
    few, many = (str(len(runs[0].tokens)) for runs in (short, long))
    judged = judge(values(short, SPEED), values(long, SPEED))
    if judged is None:
        return Conclusion(UNMEASURED)
    said = tr("{level} between {few} tokens and {many}").format(level=noise(judged), few=few, many=many)
    if differs(judged):
        speed = beside(judged.ratio, tr("{few}", "so many tokens, as the shorter run has").format(few=few))
        ran = tr("{many} tokens ran {speed}").format(many=many, speed=speed)
        said = vouched(ran, judged)
    return Conclusion(sentence([said, _change(values(long, SLOPE))]))


def _change(slopes: Sequence[float]) -> str:
    """Runs that don't even agree on up or down have no slope, and few may agree by accident."""
    if not slopes:
        return ""
    if min(slopes) <= 0 <= max(slopes):
        return tr("within the longest run no trend: its speed falls in some runs and rises in others")
    middle = median(slopes)
    said = tr("within the longest run every 100 tokens it gains {speed} tok/s")
    if middle < 0:
        said = tr("within the longest run every 100 tokens it loses {speed} tok/s")
    said = said.format(speed=three_digits(abs(middle)))
    return doubtful(said) if 2 * 0.5 ** len(slopes) > CHANCE else said


EXPERIMENT = Experiment(
    "length",
    tr("Does length cost speed?"),
    tr("Is a long answer slower, token for token, than a short one?"),
    plan,
    conclude,
    columns=(AT_END, SLOPE),
    max_tokens=600,
)
