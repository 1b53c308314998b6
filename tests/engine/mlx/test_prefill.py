import pytest

from app.engine.mlx.prefill import CHUNK_MAX, CHUNK_MIN, PrefillPace

STOP_WAIT_S = 0.25


@pytest.mark.parametrize("tokens_per_s", [150, 400, 1_300, 5_000, 12_000])
def test_step_takes_half_the_allowed_stop_time(tokens_per_s: int) -> None:
    pace = PrefillPace()
    pace.learn(tokens_per_s, 1.0)
    assert pace.step_size() / tokens_per_s <= STOP_WAIT_S / 2
    assert pace.step_size() * 2 > tokens_per_s * STOP_WAIT_S / 2 / 2


@pytest.mark.parametrize(("tokens_per_s", "chunk"), [(1, CHUNK_MIN), (1_000_000, CHUNK_MAX)])
def test_step_size_stays_within_its_limits(tokens_per_s: int, chunk: int) -> None:
    pace = PrefillPace()
    pace.learn(1_000_000, 1_000_000 / tokens_per_s)
    assert pace.step_size() == chunk


def test_step_size_ignores_short_measurements() -> None:
    pace = PrefillPace()
    pace.learn(1_024, 0.25)
    pace.learn(3, 0.5)
    pace.learn(100, 0.0)
    assert pace.tokens_per_s == 4_096
