"""Rows on which arms part come first."""

from app.sets.disagreement import disagreements
from app.sets.types import CheckKind, Outcome
from tests.sets.making import answer, outcome, study


def test_rows_that_the_verdict_turns_on_come_first_then_those_of_other_words() -> None:
    said = {
        0: ("one and two", "one and two"),
        1: ("one and two", "one and three"),
        2: ("one", "three"),
        3: ("one two", "two one"),
    }
    answers = [answer(arm, row, None, text=text) for row, texts in said.items() for arm, text in enumerate(texts)]
    answers += [answer(0, 4, True, text="same"), answer(1, 4, False, text="same"), answer(0, 5, True)]
    found = disagreements(Outcome(study(6), tuple(answers)))
    assert [each.row for each in found] == [4, 2, 1, 3, 0]
    assert [each.spread for each in found] == [1, 0, 0, 0, 0]
    assert (found[1].apart, found[2].apart, found[4].apart) == (1.0, 0.5, 0.0) and 0 < found[3].apart < 0.01


def test_one_arm_parts_from_nobody() -> None:
    assert disagreements(outcome("+-")) == ()


def test_empty_answers_are_the_same() -> None:
    answers = tuple(answer(arm, 0, None, text=" ") for arm in (0, 1))
    assert disagreements(Outcome(study(1, check=CheckKind.BY_HAND), answers))[0].apart == 0
