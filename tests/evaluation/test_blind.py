"""Who judges blindly sees each row once, on a side of chance, until the range is narrow."""

from dataclasses import replace

from app.engine.types import Reason
from app.evaluation.paired_tests import LEAST_VOTES, Blind, is_conclusive, next_blind, preferences
from app.evaluation.types import CheckKind, EvaluationOutcome, Preference, Vote
from tests.evaluation.builders import answer, study, voted


def judged(outcome: EvaluationOutcome, seed: int, like: Preference) -> tuple[EvaluationOutcome, list[Blind]]:
    """Always the same preference, until it is enough."""
    asked = []
    while (each := next_blind(outcome, seed)) is not None:
        asked.append(each)
        outcome = replace(outcome, votes=(*outcome.votes, Vote(each.first, each.second, each.row, like, True)))
    return outcome, asked


def test_rows_and_sides_come_in_an_order_of_chance_that_the_seed_decides() -> None:
    made = voted((), rows=40)
    _, asked = judged(made, 1, Preference.LEFT)
    assert judged(made, 1, Preference.LEFT)[1] == asked != judged(made, 2, Preference.LEFT)[1]
    rows = [each.row for each in asked]
    assert len(set(rows)) == len(rows) and rows != sorted(rows)
    assert {each.turned for each in asked} == {True, False}


def test_it_is_enough_when_the_range_is_narrow() -> None:
    done, asked = judged(voted((), rows=400), 1, Preference.RIGHT)
    (found,) = preferences(done.votes)
    assert len(asked) == LEAST_VOTES and is_conclusive(found)
    before = preferences(done.votes[:-1])[0]
    assert not is_conclusive(before), "of few votes that all agree the range is narrow by luck"


def test_it_ends_when_no_row_is_left() -> None:
    assert len(judged(voted((), rows=7), 1, Preference.SAME)[1]) == 7


def test_what_both_said_alike_or_one_did_not_say_is_not_asked() -> None:
    answers = [answer(arm, 0, None, text="the same") for arm in (0, 1)]
    answers += [answer(arm, 1, None, text=f"of {arm}") for arm in (0, 1)] + [answer(0, 2, None, text="alone")]
    answers += [answer(0, 3, None, text="here"), replace(answer(1, 3, None), text="", reason=Reason.ERROR)]
    made = EvaluationOutcome(study(4, check=CheckKind.BY_HAND), tuple(answers))
    assert [each.row for each in judged(made, 5, Preference.LEFT)[1]] == [1]


def test_of_several_arms_those_compared_least_come_next() -> None:
    answers = tuple(answer(arm, row, None, text=f"{arm}") for arm in range(3) for row in range(4))
    made = EvaluationOutcome(study(4, 3, check=CheckKind.BY_HAND), answers)
    asked = [(each.first, each.second) for each in judged(made, 3, Preference.LEFT)[1]]
    assert asked[:6] == [(0, 1), (0, 2), (1, 2)] * 2 and len(asked) == 12
