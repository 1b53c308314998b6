"""Paired comparison of two variants, power of an evaluation, disagreements, and the pairs of a blind vote."""

from dataclasses import replace
from itertools import product
from math import comb

import pytest

from app.engine.types import Reason
from app.evaluation.estimates import power_sentence, smallest
from app.evaluation.paired_tests import (
    LEAST_VOTES,
    BlindPair,
    confidence_interval,
    differs,
    holm,
    is_conclusive,
    mcnemar,
    next_blind,
    pair,
    preferences,
    sign_flips,
)
from app.evaluation.rates import disagreements
from app.evaluation.types import CheckKind, EvaluationOutcome, PairedComparison, Preference, Vote
from app.evaluation.verdict import verdict
from tests.evaluation.builders import answer, outcome, study, voted


def judged(outcome: EvaluationOutcome, seed: int, like: Preference) -> tuple[EvaluationOutcome, list[BlindPair]]:
    """Always the same preference, until it is enough."""
    asked = []
    while (each := next_blind(outcome, seed)) is not None:
        asked.append(each)
        outcome = replace(outcome, votes=(*outcome.votes, Vote(each.first, each.second, each.row, like, True)))
    return outcome, asked


def test_blind_pairs_of_one_seed_have_the_same_random_order() -> None:
    made = voted((), rows=40)
    _, asked = judged(made, 1, Preference.LEFT)
    assert judged(made, 1, Preference.LEFT)[1] == asked != judged(made, 2, Preference.LEFT)[1]
    rows = [each.row for each in asked]
    assert len(set(rows)) == len(rows) and rows != sorted(rows)
    assert {each.turned for each in asked} == {True, False}


def test_blind_votes_that_agree_end_at_the_least_number() -> None:
    done, asked = judged(voted((), rows=400), 1, Preference.RIGHT)
    (found,) = preferences(done.votes)
    assert len(asked) == LEAST_VOTES and is_conclusive(found)
    before = preferences(done.votes[:-1])[0]
    assert not is_conclusive(before), "of few votes that all agree the range is narrow by luck"


def test_blind_votes_end_after_the_last_row() -> None:
    assert len(judged(voted((), rows=7), 1, Preference.SAME)[1]) == 7


def test_blind_pairs_of_equal_missing_or_failed_answers_are_skipped() -> None:
    answers = [answer(arm, 0, None, text="the same") for arm in (0, 1)]
    answers += [answer(arm, 1, None, text=f"of {arm}") for arm in (0, 1)] + [answer(0, 2, None, text="alone")]
    answers += [answer(0, 3, None, text="here"), replace(answer(1, 3, None), text="", reason=Reason.ERROR)]
    made = EvaluationOutcome(study(4, check=CheckKind.BY_HAND), tuple(answers))
    assert [each.row for each in judged(made, 5, Preference.LEFT)[1]] == [1]


def test_blind_pairs_of_several_variants_begin_with_the_least_compared() -> None:
    answers = tuple(answer(arm, row, None, text=f"{arm}") for arm in range(3) for row in range(4))
    made = EvaluationOutcome(study(4, 3, check=CheckKind.BY_HAND), answers)
    asked = [(each.first, each.second) for each in judged(made, 3, Preference.LEFT)[1]]
    assert asked[:6] == [(0, 1), (0, 2), (1, 2)] * 2 and len(asked) == 12


def test_pair_of_two_variants_counts_their_common_rows() -> None:
    (found,) = verdict(outcome("++--+? ", "+-++  +")).pairs
    assert (found.first, found.second, found.n) == (0, 1, 4)
    assert (found.only_first, found.only_second) == (1, 2)
    assert found.difference == 0.25 and found.chance == found.corrected == 1.0


def test_pair_without_a_common_row_is_left_out() -> None:
    assert verdict(outcome("++  ", "  ++")).pairs == ()


@pytest.mark.parametrize(("less", "more"), [(0, 0), (0, 6), (3, 10), (10, 3), (40, 71), (5, 5), (400, 500)])
def test_mcnemar_p_value_equals_the_exact_binomial_test(less: int, more: int) -> None:
    rows = less + more
    tail = 2 * sum(comb(rows, at) for at in range(min(less, more) + 1)) / 2**rows
    assert mcnemar(less, more) == pytest.approx(min(1.0, tail))


def test_mcnemar_of_ten_thousand_rows_returns_a_number() -> None:
    assert mcnemar(4_900, 5_100) == pytest.approx(0.0466, abs=0.0005)
    assert mcnemar(0, 10_000) == 0.0


@pytest.mark.parametrize("steps", [[], [0, 0], [1, 2, 3], [-1, 2, 0, 3, 5], [2, 2, -1, 4, 4, 3], [1] * 6])
def test_sign_flips_p_value_equals_the_full_enumeration(steps: list[int]) -> None:
    sums = [
        abs(sum(sign * step for sign, step in zip(signs, steps, strict=True)))
        for signs in product((1, -1), repeat=len(steps))
    ]
    exact = sum(each >= abs(sum(steps)) for each in sums) / len(sums)
    assert sign_flips(steps) == pytest.approx(exact)


def test_sign_flips_without_repeats_equals_mcnemar() -> None:
    assert sign_flips([-1] * 12 + [1] * 27 + [0] * 5) == pytest.approx(mcnemar(12, 27))


def test_pair_with_repeats_compares_the_shares_of_rows() -> None:
    said = [
        answer(arm, row, bool(right), repeat)
        for arm, rights in enumerate(((0, 1), (1, 1)))
        for row in range(8)
        for repeat, right in enumerate(rights)
    ]
    (found,) = verdict(EvaluationOutcome(study(8, repeats=2), tuple(said))).pairs
    assert (found.difference, found.only_first, found.only_second) == (0.5, 0, 8)
    assert found.chance == pytest.approx(2 / 2**8)


def test_holm_of_several_p_values_corrects_the_smallest_most() -> None:
    found = [
        PairedComparison(0, at, 9, 0, 0, 0, chance, chance, 0, 0) for at, chance in enumerate((0.03, 0.01, 0.9, 0.02))
    ]
    assert [each.corrected for each in holm(found)] == pytest.approx([0.06, 0.04, 0.9, 0.06])
    assert [each.second for each in holm(found)] == [0, 1, 2, 3]


def test_confidence_interval_without_any_difference_is_wider_than_zero() -> None:
    low, high = confidence_interval([0.0] * 30)
    assert -0.07 < low < -0.05 and high == -low
    assert confidence_interval([1.0] * 4) == pytest.approx((0.28, 1.0), abs=0.01)


def test_differs_needs_the_p_value_and_the_confidence_interval() -> None:
    assert differs(pair(0, 1, [1.0] * 12 + [0.0] * 20))
    assert not differs(pair(0, 1, [1.0] * 5 + [0.0] * 20))
    (corrected, *_) = holm([pair(0, 1, [1.0] * 6 + [0.0] * 20), *[pair(0, 2, [0.0] * 26)] * 2])
    assert corrected.low > 0 and corrected.chance < 0.05 and not differs(corrected)


def test_preferences_with_two_votes_on_a_row_count_the_last() -> None:
    votes = (
        Vote(0, 1, 0, Preference.LEFT, True),
        Vote(1, 0, 0, Preference.LEFT, True),
        Vote(0, 1, 1, Preference.SAME, False),
    )
    (found,) = preferences(votes)
    assert (found.first, found.second, found.n, found.only_first, found.only_second) == (0, 1, 2, 0, 1)
    assert found.difference == 0.5


def test_verdict_of_answers_checked_by_hand_compares_the_votes() -> None:
    (found,) = verdict(voted([Preference.RIGHT] * 9 + [Preference.LEFT])).pairs
    assert (found.n, found.difference) == (10, 0.8) and differs(found)


FIVE = "80 % power, if the variants differ in"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((200, 1, 2), f"200 rows can show differences of 10 points ({FIVE} one row of five)."),
        ((10_000, 1, 2), f"10,000 rows can show differences of 1.3 points ({FIVE} one row of five)."),
        ((30, 1, 2), f"30 rows can show differences of 30 points ({FIVE} no other rows)."),
        (
            (200, 3, 3),
            "200 rows can show differences of 11 points, or smaller ones, since each row has 3 answers, "
            f"corrected for 3 comparisons ({FIVE} one row of five).",
        ),
        ((5, 1, 2), "5 rows are too few for a significant difference."),
        ((1, 1, 2), "1 row is too few for a significant difference."),
        ((200, 1, 1), ""),
        ((0, 1, 2), ""),
    ],
)
def test_power_sentence_of_a_set_has_the_smallest_significant_difference(
    asked: tuple[int, int, int], told: str
) -> None:
    assert power_sentence(*asked) == told


def test_smallest_difference_with_more_rows_is_smaller() -> None:
    sizes = [smallest(rows) or 2 for rows in (5, 6, 20, 50, 100, 200, 1_000, 10_000)]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == len(sizes)
    assert (smallest(100, 6) or 2) > (smallest(100) or 0)


def test_disagreements_are_sorted_by_verdict_then_by_text() -> None:
    said = {
        0: ("one and two", "one and two"),
        1: ("one and two", "one and three"),
        2: ("one", "three"),
        3: ("one two", "two one"),
    }
    answers = [answer(arm, row, None, text=text) for row, texts in said.items() for arm, text in enumerate(texts)]
    answers += [answer(0, 4, True, text="same"), answer(1, 4, False, text="same"), answer(0, 5, True)]
    found = disagreements(EvaluationOutcome(study(6), tuple(answers)))
    assert [each.row for each in found] == [4, 2, 1, 3, 0]
    assert [each.spread for each in found] == [1, 0, 0, 0, 0]
    assert (found[1].apart, found[2].apart, found[4].apart) == (1.0, 0.5, 0.0) and 0 < found[3].apart < 0.01


def test_disagreements_of_one_variant_are_empty() -> None:
    assert disagreements(outcome("+-")) == ()


def test_disagreements_of_empty_answers_have_no_distance() -> None:
    answers = tuple(answer(arm, 0, None, text=" ") for arm in (0, 1))
    assert disagreements(EvaluationOutcome(study(1, check=CheckKind.BY_HAND), answers))[0].apart == 0
