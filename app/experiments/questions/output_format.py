"""Experiment `output_format`: the same prompt and seeds with and without constrained decoding."""

from dataclasses import replace
from functools import lru_cache, partial
from math import log1p

from app.definitions import meaning
from app.engine.structured_output.grammar import has_format
from app.engine.types import ANIMAL, Failure, OutputFormat
from app.experiments.conclusion_text import answer, differs, faster, in_rounds, level, ranged, signed, too_few
from app.experiments.metrics import compare_variants, pairs, usual
from app.experiments.requests import measured, seeded
from app.experiments.significance import Significance, estimate, wilson
from app.experiments.types import (
    BaseConfig,
    Conclusion,
    Detail,
    Experiment,
    ExperimentOutcome,
    MetricColumn,
    Plan,
    RunResult,
    Variant,
)
from app.i18n import tr

FREE, HELD = 0, 1
CLAIMS = 2


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan runs with and without the request's output format, or an example. One alternative is recorded per token."""
    if not basis.model.can.form:
        why = basis.model.can.refusal("form") or tr("This model has no constrained decoding.")
        return Failure(why, tr("Choose another model."))
    free = replace(measured(basis.request), observe=1, form=OutputFormat())
    held = replace(free, form=basis.request.form or ANIMAL)
    arms = (Variant(tr("free"), partial(seeded, free)), Variant(tr("constrained"), partial(seeded, held)))
    return EXPERIMENT.of(arms, basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    if len(outcome.measured()) < 2:
        return answer(outcome, "")
    output_format = outcome.of(HELD)[0].request.form
    valid = [[_is_valid(output_format, run.text) for run in outcome.of(arm)] for arm in (FREE, HELD)]
    rates = [(sum(each), len(each), *wilson(sum(each), len(each))) for each in valid]
    (right, every, *_), (held, held_all, *_) = rates
    words = tr("{right} of {all} free answers were valid, and {held} of {held_all} constrained ones")
    validity = words.format(right=right, all=every, held=held, held_all=held_all)
    clauses = filter(None, (_speed(outcome), validity, _logprob_clause(outcome)))
    head = (tr("Variant"), tr("Valid"), tr("Runs"), tr("At least"), tr("At most"))
    rows = tuple((outcome.plan.arms[arm].name, *each) for arm, each in enumerate(rates))
    return answer(outcome, next(clauses), list(clauses), (Detail(tr("Valid answers"), head, rows),))


def _speed(outcome: ExperimentOutcome) -> str:
    judged = compare_variants(outcome, FREE, HELD, usual("speed_mean"), CLAIMS)
    if judged is None or not differs(judged):
        return level(judged) if judged is not None else ""
    return tr("constrained decoding is {speed}").format(speed=faster(judged))


def _logprob_clause(outcome: ExperimentOutcome) -> str:
    """Compare the log-probability per token, paired by round."""
    found = estimate([held - free for free, held in pairs(outcome, FREE, HELD, LOGPROB)], CLAIMS)
    if found is None:
        return ""
    unit = tr("{number} nats")
    extent = in_rounds(signed(found.low), signed(found.high), unit, found.rounds)
    match found.verdict:
        case Significance.UNSURE:
            return too_few(tr("log-probability"), unit.format(number=signed(found.middle)), extent, found.needed)
        case Significance.SAME:
            words = tr("no significant difference in log-probability")
        case Significance.LOWER:
            words = tr("its answers are {nats} nats per token less probable")
        case Significance.HIGHER:
            words = tr("its answers are {nats} nats per token more probable")
    return ranged(words.format(nats=f"{abs(found.middle):.2f}"), extent)


@lru_cache(maxsize=256)
def _is_valid(output_format: OutputFormat, text: str) -> bool:
    """Return whether a text matches the output format. Cached, since each export calls it again."""
    return has_format(output_format, text)


def _unconstrained_logprob(run: RunResult) -> float | None:
    """Return the mean log-probability in the unconstrained distribution: constrained probability × allowed mass."""
    own = []
    for token in run.tokens:
        if token.observed is not None:
            formed = token.observed.formed
            left = log1p(-min(formed.removed, ALMOST)) if formed is not None else 0.0
            own.append(token.observed.chosen.logprob + left)
    return sum(own) / len(own) if own else None


def _removed(run: RunResult) -> float | None:
    looks = [token.observed.formed.removed for token in run.tokens if token.observed and token.observed.formed]
    return sum(looks) / len(looks) if looks else None


ALMOST = 1 - 1e-16
LOGPROB = MetricColumn(
    "own_logprob", tr("Log-probability per token"), "nats", _unconstrained_logprob, meaning("own_logprob")
)
EXPERIMENT = Experiment(
    "form",
    tr("What does constrained decoding cost?"),
    tr("Is constrained decoding slower, and how improbable is its answer for the model?"),
    plan,
    conclude,
    columns=(LOGPROB, MetricColumn("removed", tr("Mass removed"), "share", _removed, meaning("removed"))),
    prompt="Tell me a story about a fox, as JSON.",
    max_tokens=120,
    temperature=0.7,
    claims=lambda arms: CLAIMS,
    lead="own_logprob",
)
