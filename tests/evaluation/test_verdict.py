"""The sentences of a study: rates, differences and votes with their ranges, checked by simulation too."""

from dataclasses import replace

import pytest

from app.engine.types import Reason
from app.evaluation.paired_tests import pair
from app.evaluation.rates import tallies, wilson_interval
from app.evaluation.types import Check, CheckKind, EvaluationOutcome, Preference, Wording
from app.evaluation.verdict import NO_VOTES, of_pair, verdict
from app.experiments.significance import wilson
from tests.evaluation.builders import answer, outcome, study, voted
from tests.faults.set_verdicts import rows

LEFT, SAME, RIGHT = Preference.LEFT, Preference.SAME, Preference.RIGHT


def test_verdict_of_two_different_variants_has_the_difference_and_both_rates() -> None:
    assert verdict(outcome("+" * 50 + "-" * 50, "+" * 80 + "-" * 20)).sentences == (
        "B is better than A by 30 points (95 % CI 21 to 39), 100 pairs.",
        "A: 50 % of 100 rows right (95 % CI 40 to 60).",
        "B: 80 % of 100 rows right (95 % CI 71 to 87).",
    )
    turned = verdict(outcome("+" * 80 + "-" * 20, "+" * 50 + "-" * 50)).sentences[0]
    assert turned == "A is better than B by 30 points (95 % CI 21 to 39), 100 pairs."


def test_rate_sentence_has_as_many_digits_as_its_interval() -> None:
    """1.5 % (0.5 to 4.3) in the table was 2 % (1 to 4) in the sentence below."""
    (said,) = verdict(outcome("+" * 3 + "-" * 197)).sentences
    assert said == "A: 1.5 % of 200 rows right (95 % CI 0.5 to 4.3)."


def test_verdict_without_significance_has_its_confidence_interval() -> None:
    found = verdict(outcome("+-" * 50, "+-" * 48 + "--+-"))
    assert found.sentences[0] == "No significant difference: A minus B is 1 point (95 % CI −2 to 4), 100 pairs."


def test_verdict_of_several_pairs_has_holm_corrected_p_values() -> None:
    found = verdict(outcome("+" * 10 + "-" * 30, "+" * 30 + "-" * 10, "+" * 31 + "-" * 9))
    sure, open_ = (f"40 pairs; p-value {each}, Holm-corrected for 3 comparisons." for each in ("< 0.0001", "1.00"))
    assert found.sentences[:4] == (
        "2 of 3 pairs of variants differ significantly.",
        f"C is better than A by 52 points (95 % CI 35 to 67), {sure}",
        f"B is better than A by 50 points (95 % CI 33 to 65), {sure}",
        f"No significant difference: C minus B is 2 points (95 % CI −4 to 9), {open_}",
    )


def test_pair_sentence_of_an_interval_without_0_shows_its_p_value() -> None:
    each = replace(pair(0, 1, [1.0] * 5 + [0.0] * 20), low=0.01)
    told = of_pair(outcome("+" * 25, "+" * 25), each)
    assert told.endswith("25 pairs; p-value 0.062.")


@pytest.mark.parametrize(
    ("difference", "low", "high", "told"),
    [
        (0.06, 0.02, 0.1, "6 points (95 % CI 2 to 10)"),
        (0.011, 0.006, 0.016, "1.1 points (95 % CI 0.6 to 1.6)"),
        (0.05, 0.002, 0.1, "5.0 points (95 % CI 0.2 to 10.0)"),
        (0.01, -0.07, 0.09, "1 point (95 % CI −7 to 9)"),
    ],
)
def test_pair_sentence_of_small_differences_has_a_decimal(
    difference: float, low: float, high: float, told: str
) -> None:
    each = replace(pair(0, 1, [1.0] * 20 + [0.0]), difference=difference, low=low, high=high)
    assert told in of_pair(outcome("+", "+"), each)


def test_verdict_of_a_stopped_evaluation_lists_what_is_excluded() -> None:
    stopped = replace(outcome("++-?!+ ", "+-+++  "), stopped=True)
    assert verdict(stopped).sentences[3:] == (
        "1 answer failed and counts as not right.",
        "1 answer could not be checked; its row is excluded.",
        "3 rows are excluded from a comparison: one of the two variants has no checked answer there.",
        "The evaluation was stopped before its end.",
    )
    assert verdict(replace(stopped, why="The model is gone.")).sentences[-1] == "The model is gone."


def test_verdict_of_one_variant_has_its_rate_only() -> None:
    assert verdict(outcome("+" * 8 + "--")).sentences == ("A: 80 % of 10 rows right (95 % CI 49 to 94).",)
    assert verdict(outcome("  ", "  ")).sentences == ("No answer was checked.",)


def test_verdict_of_votes_has_the_preference_with_ties_as_half() -> None:
    found = verdict(voted([RIGHT] * 30 + [LEFT] * 10 + [SAME] * 5))
    assert found.sentences == ("B is preferred to A: B in 72 % of 45 rows (95 % CI 60 to 84), ties as half.",)
    none = verdict(voted([LEFT, LEFT, RIGHT]))
    assert (
        none.sentences[0]
        == "No significant preference between B and A: A in 67 % of 3 rows (95 % CI 15 to 100), ties as half."
    )


def test_verdict_with_a_check_and_votes_has_both() -> None:
    both = outcome("+" * 20, "-" * 20)
    votes = voted([RIGHT] * 20).votes
    assert "B is preferred to A" in verdict(replace(both, votes=votes)).sentences[1]


def worded(*marks: str, wordings: tuple[Wording, ...]) -> str:
    made = outcome(*marks)
    arms = tuple(replace(arm, wording=wording) for arm, wording in zip(made.study.arms, wordings, strict=True))
    return verdict(replace(made, study=replace(made.study, arms=arms))).sentences[0]


def test_verdict_of_wording_variants_has_the_range_of_rates() -> None:
    marks = ("+" * 92 + "-" * 8, "+" * 80 + "-" * 14 + "+" * 6, "+" * 91 + "-" * 9)
    told = "The wording alone moves the rate from 86 % to 92 %: with a trailing space 18 rows of 100 change."
    wordings = (Wording.AS_WRITTEN, Wording.TRAILING_SPACE, Wording.UPPER_CASE)
    assert worded(*marks, wordings=wordings) == told
    turned = (Wording.TRAILING_SPACE, Wording.UPPER_CASE, Wording.AS_WRITTEN)
    assert worded(*marks[1:], marks[0], wordings=turned) == told
    assert worded("++++", "+++-", wordings=wordings[:2]).endswith("with a trailing space 1 row of 4 changes.")


def test_verdict_of_other_variants_does_not_mention_wordings() -> None:
    assert "wording" not in verdict(outcome("+", "-")).sentences[0]
    assert "wording" not in worded("+", "-", wordings=(Wording.LOWER_CASE, Wording.UPPER_CASE))


def test_verdict_of_a_wording_of_some_rows_compares_these_rows() -> None:
    most = "-" * 40 + "+" * 60, "-" * 40 + "+" * 50 + "-" * 10, " " * 40 + "+" * 30 + "-" * 30, "-" * 9 + " " * 91
    told = worded(*most, wordings=(Wording.AS_WRITTEN, *list(Wording)[1:4]))
    assert told.endswith("from 10 % to 60 %: with lower case 30 rows of 60 change.")
    assert "from 50 % to 60 %" in worded(most[0], most[1], most[3], wordings=tuple(Wording)[:3])


def test_rate_of_one_variant_has_the_wilson_interval() -> None:
    (rate,) = verdict(outcome("+" * 81 + "-" * 19)).rates
    assert (rate.arm, rate.n, rate.right, rate.rate) == (0, 100, 81, 0.81)
    assert (rate.low, rate.high) == wilson(81, 100)


def test_rate_counts_failed_answers_and_leaves_out_unchecked_ones() -> None:
    made = outcome("++-!?? ", "       ")
    (rate,) = verdict(made).rates
    assert (rate.arm, rate.n, rate.right) == (0, 4, 2)
    tally, none = tallies(made)
    assert (tally.failed, tally.unjudged) == (1, 2)
    assert (dict(none.shares), none.failed, none.unjudged) == ({}, 0, 0)


def test_verdict_of_answers_checked_by_hand_without_votes_has_no_rates() -> None:
    made = outcome("???!", "??!!")
    made = replace(made, study=replace(made.study, check=Check(CheckKind.BY_HAND)))
    assert verdict(made).rates == ()
    assert verdict(made).sentences == (NO_VOTES, "3 answers failed.")


def test_rate_leaves_out_a_stopped_answer() -> None:
    made = outcome("++")
    first, second = made.answers
    assert verdict(replace(made, answers=(first, replace(second, reason=Reason.STOPPED)))).rates[0].n == 1


def test_rate_with_repeats_counts_complete_rows_by_their_share() -> None:
    said = [
        answer(0, row, bool(right), repeat)
        for row, rights in enumerate(((1, 1), (1, 0), (1,)))
        for repeat, right in enumerate(rights)
    ]
    (rate,) = verdict(EvaluationOutcome(study(3, 1, repeats=2), tuple(said))).rates
    assert (rate.n, rate.right, rate.rate) == (2, 1.5, 0.75)


@pytest.mark.parametrize(
    ("rows", "repeats", "right", "answers"),
    [
        pytest.param([1.0] * 70 + [0.0] * 30, 5, 70, 100, id="repeats that agree count as one answer"),
        pytest.param([0.8, 0.6] * 50, 5, 350, 500, id="repeats that differ count all"),
        pytest.param([0.0] * 30, 5, 0, 30, id="all wrong"),
        pytest.param([1.0] * 30, 5, 30, 30, id="all right"),
        pytest.param([0.5] * 6, 20, 18, 36, id="few equal rows are not narrowed to zero"),
    ],
)
def test_wilson_interval_of_repeats_equals_that_of_so_many_answers(
    rows: list[float], repeats: int, right: int, answers: int
) -> None:
    assert wilson_interval(rows, repeats) == pytest.approx(wilson(right, answers))


STUDIES = 200


@pytest.mark.slow
def test_verdicts_of_simulated_evaluations_keep_their_error_rates() -> None:
    assert [(row.tried, row.lost) for row in rows(STUDIES) if not row.held] == []
