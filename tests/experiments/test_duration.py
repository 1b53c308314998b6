"""What an experiment will take, from the runs of its model, and what is left of it."""

from dataclasses import replace

import pytest

from app.engine.types import Limits, WeightFormat
from app.experiments.duration import KnownSpeed, RunClock, expected_seconds, known_speed, plan_words
from app.experiments.run import steps
from app.experiments.types import Plan, Variant
from app.number_format import rough_duration
from tests.experiments.builders import MODEL, REQUEST
from tests.ui.runs.rows import row

LONG = replace(REQUEST, limits=Limits(100))
BARE = replace(LONG, kv=replace(LONG.kv, enabled=False))
PLAN = Plan("trial", "A trial", "What is it?", (Variant("a", LONG), Variant("b", LONG)), 3)


def test_known_speed_is_the_median_of_the_models_own_runs() -> None:
    slow = row(4, settings=(("kv.enabled", False),), speed_mean=1.0)
    stepped = row(5, settings=(("prefill_step", 512),), speed_mean=3.0)
    rows = (stepped, slow, row(3, model="other"), row(2, speed_mean=20.0), row(1, draft="small", speed_mean=2.0))
    assert known_speed(rows, "demo") == KnownSpeed(20.0, 900.0)
    assert known_speed(rows[:3], "demo") is None


def test_expected_duration_counts_all_runs_and_the_recomputation_without_a_cache() -> None:
    known = KnownSpeed(10.0, 1000.0)
    cached = expected_seconds(PLAN, MODEL, known)
    assert cached == pytest.approx(6 * 10 + 2 * 1.6, rel=0.03)
    assert expected_seconds(replace(PLAN, repeats=1), MODEL, known) == pytest.approx(2 * 10 + 2 * 1.6, rel=0.03)
    slow = replace(PLAN, arms=(Variant("a", BARE), Variant("b", BARE)))
    known = KnownSpeed(100.0, 200.0)
    assert expected_seconds(slow, MODEL, known) > 10 * expected_seconds(PLAN, MODEL, known)


def test_plan_words_have_model_variants_runs_and_duration() -> None:
    assert plan_words(PLAN, MODEL, KnownSpeed(10.0, 1000.0)) == (
        "paper, 6 runs: 2 variants (a; b) × 3 rounds. At most about 2 min, at 10.0 tok/s as in its last runs."
    )
    assert "Duration unknown" in plan_words(PLAN, MODEL, None)


def test_plan_words_of_a_plan_with_other_dtypes_count_the_loads() -> None:
    """Two, and the usual model again; half precision is slower on a CPU."""
    usual = replace(MODEL, format=WeightFormat(computed_in="float32"), on_cpu=True)
    loads = [usual.opened_by, *(replace(usual.opened_by, dtype=dtype) for dtype in ("bfloat16", "float16"))]
    made = replace(PLAN, arms=tuple(Variant(load.dtype, LONG, load) for load in loads), repeats=1)
    assert plan_words(made, usual, KnownSpeed(10.0, 1000.0)).endswith(
        " At most about 3 min, at 10.0 tok/s as in its last runs. Loading models 3 times takes additional time."
    )


def test_time_left_uses_the_duration_of_each_variant() -> None:
    clock, order = RunClock(PLAN), steps(PLAN)
    clock.begin(replace(order[0], round=0), 0.0)
    assert clock.seconds_left(1.0) is None
    for step, now in zip(order[:3], (1.0, 11.0, 12.0), strict=True):
        clock.begin(step, now)
    assert order[2].arm == 1
    assert clock.seconds_left(12.5) == pytest.approx(0.5 + 10 + 10 + 1)


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "5 s"), (41, "45 s"), (61, "2 min"), (4801, "1 h 21 min")])
def test_rough_duration_is_rounded_up(seconds: float, words: str) -> None:
    assert rough_duration(seconds) == words
