"""Experiment `cache`: decoding with the KV cache, and in a loop that recomputes everything for each token."""

from dataclasses import replace

from app.engine.types import Failure
from app.experiments.conclusion_text import answer, differences, differs, faster, level, text_difference
from app.experiments.metrics import compare_variants
from app.experiments.pace import AT_END, NEAR, at, last_place, tokens_around
from app.experiments.requests import endless, measured
from app.experiments.significance import RatioEstimate
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
    shortest = min((len(run.tokens) for arm in outcome.measured() for run in outcome.of(arm)), default=0)
    last = last_place(shortest)
    end = tokens_around(last, shortest)
    at_place = tr("at token {place}").format(place=PLACE)
    where = {PLACE: at_place, last: tr("over the last %n tokens", "over the last %n token", end)}
    positions = (PLACE, last) if last > PLACE else (last,)
    judged = ((position, compare_variants(outcome, BARE, CACHED, at(position), CLAIMS)) for position in positions)
    gains = [(position, gain) for position, gain in judged if gain is not None]
    if not gains:
        return answer(outcome, "")
    rows = tuple((where[position], gain.ratio, gain.low, gain.high) for position, gain in gains)
    head = (tr("Tokens"), tr("Times as fast"), tr("At least"), tr("At most"))
    details = (Detail(tr("Gain"), head, rows), differences(outcome))
    largest, *rest = sorted(gains, key=lambda each: (differs(each[1]), each[0]), reverse=True)
    first, *clauses = (_gain_clause(where[position], gain) for position, gain in (largest, *rest))
    clauses.append(text_difference(outcome, BARE, CACHED))
    if last <= PLACE:
        clauses.append(tr("to measure how the gain grows, set max tokens above {place}").format(place=PLACE + NEAR))
    return answer(outcome, first, clauses, details)


def _gain_clause(where: str, gain: RatioEstimate) -> str:
    if differs(gain):
        return tr("with the cache the model is {speed} {where}").format(speed=faster(gain), where=where)
    return tr("{level} {where}").format(level=level(gain), where=where)


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
