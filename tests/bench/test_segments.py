"""Which segments count, and what their ratios say."""

import pytest

from tests.bench.segments import (
    DISTURBED,
    FEWEST_PAIRS,
    Pair,
    Segment,
    clean,
    closeness,
    enough,
    percentile,
    ratio_of,
    told,
    window_first,
)


def pair(window: int = 98, bare: int = 100, delay: float | None = 0.0) -> Pair:
    return Pair(Segment(bare, 0.4, 0.0 if delay is not None else None), Segment(window, 0.4, delay))


def test_the_median_of_the_pairs_ratios_counts_not_their_mean() -> None:
    pairs = [pair()] * 7 + [pair(window=10)]
    assert ratio_of(pairs).value == pytest.approx(0.98)


def test_a_segments_length_is_taken_into_account() -> None:
    assert Pair(Segment(100, 0.4, 0.0), Segment(50, 0.2, 0.0)).ratio == pytest.approx(1.0)


def test_pairs_that_the_machine_disturbed_are_left_out() -> None:
    pairs = [pair()] * FEWEST_PAIRS + [pair(window=20, delay=2 * DISTURBED)] * 20
    found = ratio_of(pairs)
    assert found.value == pytest.approx(0.98)
    assert (found.clean, found.pairs) == (FEWEST_PAIRS, FEWEST_PAIRS + 20)


def test_a_disturbed_bare_segment_spoils_its_pair_too() -> None:
    assert clean([Pair(Segment(10, 0.4, 2 * DISTURBED), Segment(98, 0.4, 0.0))]) == []


def test_with_too_few_clean_pairs_nothing_is_said_and_the_reason_given() -> None:
    found = ratio_of([pair()] * (FEWEST_PAIRS - 1) + [pair(delay=1.0)] * 9)
    assert found.value is None
    assert found.detail()["why"] == "only 7 of 16 pairs were undisturbed by the machine"


def test_no_pair_at_all_says_nothing() -> None:
    assert ratio_of([]).value is None


def test_where_delays_are_not_told_an_unsteady_bare_speed_spoils_the_pair() -> None:
    pairs = [pair(delay=None)] * 9 + [pair(bare=60, delay=None)]
    assert ratio_of(pairs).clean == 9


def test_measuring_goes_on_until_enough_pairs_are_clean_or_patience_ends() -> None:
    assert not enough([pair()] * 11, wanted=12)
    assert enough([pair()] * 12, wanted=12)
    assert not enough([pair(delay=1.0)] * 23, wanted=12)
    assert enough([pair(delay=1.0)] * 24, wanted=12)


def test_when_to_end_does_not_depend_on_the_ratios() -> None:
    assert enough([pair(window=1)] * 12, wanted=12) == enough([pair(window=500)] * 12, wanted=12)


def test_every_second_pair_is_the_other_way_round() -> None:
    assert [window_first(number) for number in range(4)] == [False, True, False, True]


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.5, 51), (0.99, 100), (1.0, 100)])
def test_percentile(share: float, expected: int) -> None:
    assert percentile(range(100, 0, -1), share) == expected


def test_closeness_counts_both_sides_alike() -> None:
    assert closeness(1.03) == pytest.approx(closeness(0.97)) == pytest.approx(0.97)


def test_delays_that_keep_the_bar_even_when_disturbed_are_told() -> None:
    assert told(clean=None, everything=9.0, bar=10.0) == 9.0
    assert told(clean=None, everything=11.0, bar=10.0) is None
    assert told(clean=12.0, everything=15.0, bar=10.0) == 12.0
    assert told(clean=5.0, everything=9.0, bar=10.0) == 5.0


def test_a_segment_in_which_nothing_came_is_left_out() -> None:
    """A machine that stands still for its whole length must not end the measurement."""
    still = Pair(Segment(0, 0.0, None), Segment(0, 0.4, None))
    assert ratio_of([still]).value is None
    assert clean([still, Pair(Segment(40, 0.4, None), Segment(40, 0.4, None))]) != []
    assert ratio_of([still, Pair(Segment(40, 0.4, None), Segment(20, 0.4, None))], fewest=1).value == 0.5
