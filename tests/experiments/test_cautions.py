"""What a conclusion rests on less than was planned for."""

from dataclasses import replace

from app.engine.types import Failure, Reason
from app.experiments.cautions import STOPPED, cautions, why_nothing
from app.experiments.types import Batch
from tests.experiments.making import at_speeds, even, outcome, result

WHOLE = at_speeds(["a", "b", "c"], [[9.0, 9.0], [9.0], []])
ERROR = result(1, 1, even(1, 9.0), reason=Reason.ERROR)
FAILED = replace(ERROR, finish=replace(ERROR.finish, failure=Failure("It broke.", "Mend it.")))
OTHERWISE = replace(FAILED, finish=replace(FAILED.finish, failure=Failure("No memory.", "Close something.")))


def test_what_went_as_planned_has_none() -> None:
    assert cautions(WHOLE) == [] and why_nothing(WHOLE) is None


def test_how_far_it_came() -> None:
    assert cautions(replace(WHOLE, stopped=True)) == ["Stopped: 0 of 3 rounds done."]
    both = at_speeds(["a", "b"], [[9.0, 9.0], [9.0]])
    assert cautions(replace(both, stopped=True)) == ["Stopped: 1 of 3 rounds done."]
    broken = Failure("The second model is gone.", "Choose another.")
    assert cautions(replace(WHOLE, failure=broken)) == [broken.sentence]


def test_every_arm_that_fails_is_named_with_its_own_reason() -> None:
    made = replace(WHOLE, results=(*WHOLE.results, *(replace(FAILED, arm=arm) for arm in (2, 1, 2)), OTHERWISE))
    assert cautions(made) == ["b (1 of 3 runs), c: It broke.", "b (1 of 3 runs): No memory."]


def test_a_batch_that_fails_is_named_too() -> None:
    together = Batch((0, 1), 1, (replace(FAILED, arm=0), FAILED))
    assert cautions(replace(WHOLE, batches=(together,))) == ["a (1 of 3 runs), b (1 of 2 runs): It broke."]


def test_why_nothing_was_measured() -> None:
    assert why_nothing(outcome(["a", "b"], [FAILED])) == Failure("It broke.", "Mend it.")
    assert why_nothing(replace(outcome(["a"], []), stopped=True)) is STOPPED
