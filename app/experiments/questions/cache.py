"""Experiment `cache`: decoding with the KV cache, and in a loop that recomputes everything for each token."""

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import Failure
from app.experiments.conclusion_text import differences, differs, faster, level, sentence, text_difference
from app.experiments.metrics import pairs
from app.experiments.pace import AT_END, at, last_place
from app.experiments.requests import endless, measured
from app.experiments.significance import RatioEstimate, judge
from app.experiments.types import BaseConfig, Conclusion, Detail, Experiment, ExperimentOutcome, Plan, Variant
from app.i18n import tr

BARE, CACHED = 0, 1
PLACE = 100
CLAIMS = 2


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan one variant with and one without the KV cache; both run to max tokens."""
    if not basis.model.can.bare_loop:
        why = basis.model.can.refusal("bare_loop") or tr("This model can't run without its KV cache.")
        return Failure(why, tr("Choose another model."))
    cached = endless(measured(basis.request), basis.model)
    bare = replace(cached, kv=replace(cached.kv, enabled=False))
    return EXPERIMENT.of((Variant(tr("without the cache"), bare), Variant(tr("with the cache"), cached)), basis.repeats)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    """State the speedup at token 100 and near the end, and whether the tokens are the same."""
    last = last_place(min((len(run.tokens) for arm in outcome.measured() for run in outcome.of(arm)), default=0))
    positions = (PLACE, last) if last > PLACE else (last,)
    judged = ((position, judge(pairs(outcome, BARE, CACHED, at(position)), CLAIMS)) for position in positions)
    gains = [(position, gain) for position, gain in judged if gain is not None]
    if not gains:
        return Conclusion(sentence((), outcome))
    rows = tuple((position, gain.ratio, gain.low, gain.high) for position, gain in gains)
    head = (tr("At token"), tr("Times as fast"), tr("At least"), tr("At most"))
    text = sentence([_gain_clause(gains), text_difference(outcome, BARE, CACHED)], outcome)
    return Conclusion(text, (Detail(tr("Gain"), head, rows), differences(outcome)))


def _gain_clause(gains: Sequence[tuple[int, RatioEstimate]]) -> str:
    faster_at, level_at = tr("{speed} at token {place}"), tr("{level} at token {place}")
    made = [faster_at.format(speed=faster(gain), place=position) for position, gain in gains if differs(gain)]
    rest = [level_at.format(level=level(gain), place=position) for position, gain in gains if not differs(gain)]
    return _joined([tr("with the cache the model was {speeds}").format(speeds=_joined(made)), *rest] if made else rest)


def _joined(clauses: Sequence[str]) -> str:
    both = tr("{clause}, and {next}")
    return both.format(clause=clauses[0], next=clauses[1]) if len(clauses) == 2 else "".join(clauses)


EXPERIMENT = Experiment(
    "cache",
    tr("How much faster is decoding with a KV cache?"),
    tr("How much faster is decoding with a KV cache, and how does the gain grow with the length?"),
    plan,
    conclude,
    columns=(at(PLACE), AT_END),
    max_tokens=220,
    claims=lambda arms: CLAIMS,
)
