"""What slowed a run: planted causes are named, undisturbed runs have none, and there is never a second one."""

import random
from dataclasses import replace

import pytest

from app.engine.run_analysis import LEAST_S, slow_cause
from app.engine.types import CacheMissReason, Conditions, Drafted, Finish, Reason, Times

QUIET = Conditions(others=0.03, on_processors=True, page_faults=12, weights=2_000_000_000, kv=60_000_000)


def run(
    reading: float = 0.5, writing: float = 4.0, waited: float = 0.02, tokens: int = 200, **changes: object
) -> Finish:
    """Two thousand tokens of prompt, and an answer; the clock had gone on for a while when it was sent."""
    began = 70.0 + waited
    times = Times(70.0, began, began + reading, began + reading + 0.02, began + reading + writing, ended=75.0)
    times = replace(times, ended=times.last_token + 0.01)
    finish = Finish(Reason.LENGTH, tokens=tokens, times=times, new=2_000, conditions=QUIET)
    return replace(finish, **changes)  # type: ignore[arg-type]


def beside(**changes: object) -> Conditions:
    return replace(QUIET, **changes)  # type: ignore[arg-type]


def reread(hindrance: CacheMissReason, again: int = 1_900) -> Conditions:
    return beside(again=again, hindrance=hindrance, place=36)


PLANTED = [
    ("loading", run(waited=2.0)),
    ("loading", run(waited=60.0, writing=9.0)),
    ("first_run", run(waited=1.52, warming=1.5)),
    ("first_run", run(waited=8.0, warming=7.9, writing=1.0)),
    ("reread", run(reading=2.0, conditions=reread(CacheMissReason.DIFFERS))),
    ("reread", run(reading=40.0, conditions=reread(CacheMissReason.DIFFERS, 1_000))),
    ("reread", run(reading=3.0, conditions=reread(CacheMissReason.STUCK))),
    ("reread", run(reading=3.0, conditions=reread(CacheMissReason.SETTINGS))),
    ("swapping", run(conditions=beside(page_faults=20_000))),
    ("swapping", run(writing=90.0, conditions=beside(page_faults=700_000))),
    ("neighbour", run(conditions=beside(others=0.5))),
    ("neighbour", run(conditions=beside(others=0.31))),
    ("neighbour", run(conditions=beside(others=0.9, on_processors=False))),
    ("draft", run(drafted=Drafted(900, 20, 180), conditions=beside(draft_share=0.2))),
    ("draft", run(drafted=Drafted(600, 60, 150), conditions=beside(draft_share=0.5))),
    ("candidates", run(observing=1.5)),
    ("candidates", run(writing=20.0, observing=9.0)),
    ("processors", run(conditions=beside(processing=1.5))),
    ("processors", run(writing=20.0, conditions=beside(processing=9.0))),
    ("bare", run(conditions=beside(kv=0, hindrance=CacheMissReason.BARE), observing=1.5)),
    ("context", run(conditions=beside(kv=4_000_000_000))),
    ("context", run(writing=60.0, conditions=beside(kv=1_500_000_000))),
    (
        "reread",
        run(reading=3.0, waited=0.4, observing=0.8, conditions=replace(reread(CacheMissReason.DIFFERS), others=0.3)),
    ),
]


@pytest.mark.parametrize(("name", "finish"), PLANTED)
def test_what_was_planted_is_named(name: str, finish: Finish) -> None:
    cause = slow_cause(finish)
    assert cause is not None and cause.name == name
    assert cause.sentence.endswith(".") and "{" not in cause.sentence


def test_the_evidence_stands_in_the_sentence() -> None:
    cause = slow_cause(run(reading=2.0, conditions=reread(CacheMissReason.DIFFERS)))
    assert cause is not None
    assert cause.sentence == "The prompt differs from the cache at token 37; the rest was prefilled again (1.90 s)."
    formed = slow_cause(run(waited=2.0), formed=True)
    assert formed is not None
    assert (
        formed.sentence
        == "Prefill started 2.00 s after Send: the output format was being prepared, or the engine was busy."
    )
    waited = slow_cause(run(waited=2.0))
    assert waited is not None and "loading" not in waited.sentence, "Send waits until the model is open"
    others = slow_cause(run(conditions=beside(others=0.5)))
    assert others is not None and others.sentence == "Other programs used 50 % of the processors."
    draft = slow_cause(run(drafted=Drafted(900, 20, 180), conditions=beside(draft_share=0.2)))
    assert draft is not None and "2.2 % of its tokens" in draft.sentence


def undisturbed(dice: random.Random) -> Finish:
    """As runs are: some with a draft model, alternatives or an edited turn, none of it out of the ordinary."""
    writing = dice.uniform(0.2, 60)
    new, again = dice.randint(1, 4_000), dice.randint(0, 48)
    conditions = Conditions(
        others=dice.choice([None, dice.uniform(0, 0.2)]),
        on_processors=dice.random() < 0.5,
        page_faults=dice.randint(0, 300),
        weights=dice.randint(5_000_000, 40_000_000_000),
        kv=dice.randint(0, 3_000_000),
        draft_share=dice.uniform(0.05, 0.2),
        again=min(again, new // 8),
        hindrance=dice.choice([CacheMissReason.DIFFERS, CacheMissReason.NONE]),
    )
    steps = dice.randint(20, 80)
    drafted = Drafted(3 * steps, dice.randint(steps, 3 * steps), steps)
    return run(
        reading=dice.uniform(0.01, 8),
        writing=writing,
        waited=dice.uniform(0.001, 0.2),
        tokens=steps + drafted.accepted,
        new=new,
        warming=dice.uniform(0, 0.05),
        observing=dice.uniform(0, 0.08) * writing,
        drafted=dice.choice([None, drafted]),
        conditions=conditions,
    )


def test_of_undisturbed_runs_nothing_is_said() -> None:
    dice = random.Random(28)
    assert [cause for cause in (slow_cause(undisturbed(dice)) for _ in range(500)) if cause is not None] == []


def test_nothing_is_said_of_what_nobody_waits_for_or_knows() -> None:
    assert slow_cause(run(conditions=None, waited=9.0)) is None
    assert slow_cause(run(reading=0.05, writing=0.05, waited=LEAST_S - 0.05)) is None, "short"
    assert slow_cause(run(writing=60.0, waited=5.0)) is None, "a small part of it"
    assert slow_cause(Finish(Reason.ERROR, conditions=QUIET)) is None
    assert slow_cause(run(conditions=beside(others=0.6, on_processors=False))) is None
