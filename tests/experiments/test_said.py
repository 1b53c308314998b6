"""Whatever runs an experiment has, its sentence says no more than they do: outcomes of every kind, made up."""

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.types import Drafted, Failure, Reason
from app.experiments.cautions import cautions
from app.experiments.export import as_markdown, report
from app.experiments.questions import EXPERIMENTS
from app.experiments.significance import least_rounds
from app.experiments.types import Arm, Experiment, Outcome, Plan, Result
from app.experiments.wording import UNMEASURED
from tests.experiments.making import MODEL, REQUEST, even, result
from tests.experiments.studies import CLAIM

FAILURES = tuple(Failure(what, "Mend it.") for what in ("It broke.", "No memory."))
RANGE = re.compile(r"\((?:[^()]*, )?[\d,]+ rounds?(?:; \d+ can)?\)")


SPEEDS, COUNTS, WAITS = (1e-3, 10.0, 10.1, 50.0, 1e5), (1, 2, 3, 30, 60), (0.0, 0.1, 3.0)
ARMS = {"stops": 2, "template": 2, "form": 2, "cache": 2, "reuse": 2, "models": 2, "draft": 9}


@st.composite
def outcomes(draw: st.DrawFn) -> tuple[Experiment, Outcome]:
    """Runs of any length and speed, of which some failed and some were never made."""
    experiment = draw(st.sampled_from(EXPERIMENTS))
    arms = ARMS.get(experiment.name, 3)
    rounds = draw(st.integers(1, 10 if arms < 9 else 2))
    plan = Plan("", "", "", tuple(Arm(f"arm {arm}", REQUEST) for arm in range(arms)), rounds)
    size = arms * rounds
    how = draw(st.lists(st.integers(0, 6 * 5 * 5 * 3 - 1), min_size=size, max_size=size))
    made = (_made(place % arms, place // arms + 1, number) for place, number in enumerate(how))
    return experiment, Outcome(plan, MODEL, tuple(run for run in made if run is not None), stopped=draw(st.booleans()))


def _made(arm: int, at: int, number: int) -> Result | None:
    """One of all kinds of run, by its number."""
    number, wait = divmod(number, len(WAITS))
    number, count = divmod(number, len(COUNTS))
    kind, speed = divmod(number, len(SPEEDS))
    if kind == 5:
        return None
    drafted = Drafted(4, 2, 2) if arm else None
    run = result(arm, at, even(COUNTS[count], SPEEDS[speed], WAITS[wait]), drafted=drafted, kv=100 * arm)
    if kind < 3:
        return run
    return replace(run, finish=replace(run.finish, reason=Reason.ERROR, failure=FAILURES[kind - 3]))


@settings(max_examples=60, deadline=None)
@given(outcomes())
def test_a_sentence_says_no_more_than_was_measured(made: tuple[Experiment, Outcome]) -> None:
    experiment, outcome = made
    arms, measured = outcome.plan.arms, outcome.measured()
    sentence = report(experiment, outcome).conclusion.sentence
    assert (sentence == UNMEASURED) == (not measured), "never above figures"
    assert "turn it off" not in sentence or len(measured) == len(arms)
    for clause in re.split(r"; (?!\d+ can)", sentence):
        tells = CLAIM.search(clause) and "differs" not in clause
        if tells or "no significant" in clause.lower() or "too few" in clause.lower():
            assert RANGE.search(clause), f"no range: {clause}"
        if tells:
            assert outcome.plan.repeats >= least_rounds(experiment.claims(len(arms)))
    failed = {run.arm for run in outcome.results if run.finish.failure is not None}
    told = " ".join(cautions(outcome))
    assert all(f"arm {arm}" in told for arm in failed), "every arm that failed is named"
    as_markdown(report(experiment, outcome))
