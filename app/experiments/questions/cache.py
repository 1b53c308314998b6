"""What the KV cache buys: with it, and in a bare loop that reads everything again for each token."""

from __future__ import annotations

from dataclasses import replace

from app.engine.types import Failure
from app.experiments.asking import endless, measured
from app.experiments.comparing import differences, first_difference, parted
from app.experiments.figures import values
from app.experiments.judging import Judgement, judge
from app.experiments.pace import AT_END, at
from app.experiments.types import Arm, Basis, Column, Conclusion, Detail, Experiment, Outcome, Plan
from app.experiments.wording import UNMEASURED, differs, doubt, faster, noise, sentence

BARE, CACHED = 0, 1
PLACE = 100


def plan(basis: Basis) -> Plan | Failure:
    """The bare loop and the cache, over the same tokens; the text runs to its limit."""
    if not basis.model.can.bare_loop:
        return Failure("This model can't run without its cache.", "Choose another model.")
    cached = endless(measured(basis.request), basis.model)
    bare = replace(cached, kv=replace(cached.kv, enabled=False))
    return EXPERIMENT.of((Arm("bare loop", bare), Arm("with the cache", cached)), basis.repeats)


def conclude(outcome: Outcome) -> Conclusion:
    """The gain at token 100 and at the end, and whether both wrote the same."""
    if len(outcome.measured()) < 2:
        return Conclusion(UNMEASURED)
    last = min(len(each.tokens) for each in outcome.results)
    places = [(PLACE, at(PLACE))] if last > PLACE else []
    gains = [(token, judged) for token, column in (*places, (last, AT_END)) if (judged := _gain(outcome, column))]
    said = [noise(judged) if not differs(judged) else faster(judged.ratio) for _, judged in gains]
    told = ", and ".join(f"{each} at token {token}" for each, (token, _) in zip(said, gains, strict=True))
    rows = tuple((token, judged.ratio, judged.low, judged.high) for token, judged in gains)
    gain = Detail("Gain", ("At token", "Times as fast", "At least", "At most"), rows)
    same = parted(first_difference(outcome, BARE, CACHED))
    told += doubt(gains[0][1]) if gains else ""
    made = "the cache made this " if gains and differs(gains[0][1]) else ""
    return Conclusion(sentence([made + told, same]), (gain, differences(outcome)))


def _gain(outcome: Outcome, column: Column) -> Judgement | None:
    return judge(values(outcome.of(BARE), column), values(outcome.of(CACHED), column))


EXPERIMENT = Experiment(
    "cache",
    "What does the KV cache buy?",
    "How much faster is a model that keeps the keys and values of what it has read, and how does that grow?",
    plan,
    conclude,
    columns=(at(PLACE), AT_END),
    max_tokens=200,
    repeats=3,
)
