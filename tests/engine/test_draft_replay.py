"""Replays count the steps of mlx-lm's loop; predictions weigh them with measured times."""

import pytest

from app.engine.draft_replay import NONE, DraftReplay, draft_leads, lookup_leads, predict, replay
from app.engine.types import StepTimes

TIMES = StepTimes(1.0, (1.0, *8 * [1.25]))


def test_leads_of_lookup_count_equal_tokens_after_the_longest_match() -> None:
    assert lookup_leads((1, 2, 3, 4, 9), (1, 2, 3, 5), 3) == [NONE, 2, 1, 0]
    assert lookup_leads((1, 2, 7, 3, 2, 8, 1), (2, 7), 2)[1] == 1, "two tokens that match are better than the last one"
    assert lookup_leads((1, 2, 7, 3, 2, 8, 1), (2, 7), 1)[1] == 0


def test_leads_of_a_draft_model_run_up_to_the_first_difference() -> None:
    assert draft_leads((5, 6, 7, 8), (5, 6, 0, 8)) == [2, 1, 0, 1]


@pytest.mark.parametrize(
    ("leads", "count", "most", "expected"),
    [
        ([2, 1, 0, 1, 0], 2, 100, DraftReplay(5, 3, (0, 0, 2))),
        ([NONE, NONE, 1, 0], 2, 100, DraftReplay(4, 1, (2, 0, 1))),
        ([8, 7, 6, 5], 8, 4, DraftReplay(4, 4, (0, 0, 0, 0, 1, 0, 0, 0, 0))),  # cut at max tokens
        ([8, 7, 6, 5], 3, 100, DraftReplay(4, 3, (0, 0, 0, 1))),
        ([0, 0], 2, 2, DraftReplay(2, 0, (0, 1, 1))),
        ([], 3, 10, DraftReplay(0, 0, (0, 0, 0, 0))),
    ],
)
def test_replay_counts_steps_by_proposed_tokens(leads: list[int], count: int, most: int, expected: DraftReplay) -> None:
    assert replay(leads, count, most) == expected


def test_prediction_of_repeated_text_saves_steps_and_comes_first() -> None:
    answer = (1, 2, 3, 4, 5, 6, 7, 8) * 4
    best, *others = predict((), answer, (), [TIMES])
    assert (best.longest, best.count, best.acceptance, best.steps) == (1, 7, 1.0, 9 + 24 / 8)
    assert best.speedup.middle == pytest.approx(32 / (9 + 3 * 1.25))
    assert best.speedup.low == best.speedup.high, "there is one round"
    assert [each.speedup.middle for each in others] == sorted((each.speedup.middle for each in others), reverse=True)


def test_prediction_without_a_match_is_as_fast_as_without_a_draft() -> None:
    for each in predict((), tuple(range(20)), (), [TIMES]):
        assert (each.steps_saved, each.acceptance, each.speedup.middle) == (0, 0, 1)


def test_prediction_of_a_sampled_draft_model_is_the_mean_of_its_draws() -> None:
    answer, never = (1, 2, 3, 4), (0, 0, 0, 0)
    times = StepTimes(TIMES.plain, TIMES.lookup, (1.0, *8 * [2.0]), accepted=0.5)
    found = predict((9,), answer, (answer, never), [times])
    (drafted,) = (each for each in found if (each.longest, each.count) == (0, 1))
    assert (drafted.steps, drafted.acceptance) == (3, 0.5)
    assert drafted.speedup.middle == pytest.approx((4 / (2 * 2 + 2 * 0.5) + 4 / 8) / 2)
