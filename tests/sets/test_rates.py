"""Rows are counted once, whatever their repeats said; what failed is not right; what nobody could judge is left out."""

from dataclasses import replace

import pytest

from app.engine.types import Reason
from app.experiments.significance import wilson
from app.sets.rates import interval, tallies
from app.sets.types import Check, CheckKind, Outcome
from app.sets.verdict import NO_VOTES, verdict
from tests.sets.making import answer, outcome, study


def test_a_rate_has_wilsons_interval() -> None:
    (rate,) = verdict(outcome("+" * 81 + "-" * 19)).rates
    assert (rate.arm, rate.n, rate.right, rate.rate) == (0, 100, 81, 0.81)
    assert (rate.low, rate.high) == wilson(81, 100)


def test_what_failed_is_not_right_and_what_could_not_be_judged_is_left_out() -> None:
    made = outcome("++-!?? ", "       ")
    (rate,) = verdict(made).rates
    assert (rate.arm, rate.n, rate.right) == (0, 4, 2)
    tally, none = tallies(made)
    assert (tally.failed, tally.unjudged) == (1, 2)
    assert (dict(none.shares), none.failed, none.unjudged) == ({}, 0, 0)


def test_by_hand_nothing_is_right_or_wrong_not_even_what_failed() -> None:
    made = outcome("???!", "??!!")
    made = replace(made, study=replace(made.study, check=Check(CheckKind.BY_HAND)))
    assert verdict(made).rates == ()
    assert verdict(made).sentences == (NO_VOTES, "3 answers failed.")


def test_what_was_stopped_midway_is_no_answer() -> None:
    made = outcome("++")
    first, second = made.answers
    assert verdict(replace(made, answers=(first, replace(second, reason=Reason.STOPPED)))).rates[0].n == 1


def test_a_row_counts_as_the_share_of_its_repeats_and_only_when_it_has_them_all() -> None:
    said = [
        answer(0, row, bool(right), repeat)
        for row, rights in enumerate(((1, 1), (1, 0), (1,)))
        for repeat, right in enumerate(rights)
    ]
    (rate,) = verdict(Outcome(study(3, 1, repeats=2), tuple(said))).rates
    assert (rate.n, rate.right, rate.rate) == (2, 1.5, 0.75)


def test_repeats_that_agree_are_worth_no_more_than_their_row() -> None:
    rows = [1.0] * 70 + [0.0] * 30
    assert interval(rows, 5) == pytest.approx(wilson(70, 100))


def test_repeats_that_differ_narrow_the_range_but_never_beyond_all_answers() -> None:
    rows = [0.8, 0.6] * 50
    low, high = interval(rows, 5)
    assert (low, high) == pytest.approx(wilson(350, 500))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_where_all_repeats_of_all_rows_agree_nothing_is_gained(share: float) -> None:
    assert interval([share] * 30, 5) == pytest.approx(wilson(30 * share, 30))


def test_few_rows_that_are_alike_may_be_so_by_chance() -> None:
    assert interval([0.5] * 6, 20) == pytest.approx(wilson(18, 36))
