from dataclasses import replace

import pytest

from app.engine.types import DecodeSpeed, Matrix, PeakSpeeds, StepReads
from app.roofline.roofline import Bound, Roofline, cause

GB = 1e9
MATRIX = Matrix(1, 1, 1, "float32")
READS = StepReads(context=0, weights=2_000_000_000, kv=0, readout=100, products=1_000_000_000, largest=MATRIX)
SPEEDS = PeakSpeeds(100 * GB, 100 * GB, 5e12, 512_000_000)


def ceiling(
    reads: StepReads = READS, speeds: PeakSpeeds = SPEEDS, tokens_per_s: float = 40.0, grown_s: float = 0.0
) -> Roofline:
    return Roofline(reads, speeds, DecodeSpeed(tokens_per_s, grown_s, 500.0))


def test_the_ceiling_is_bandwidth_over_bytes_and_falls_with_the_context() -> None:
    assert ceiling().tokens_per_s == pytest.approx(50) and ceiling().share == pytest.approx(0.8)
    assert ceiling(replace(READS, kv=3_000_000_000)).tokens_per_s == pytest.approx(20)
    assert ceiling().prompt_tokens_per_s == pytest.approx(5_000)


@pytest.mark.parametrize(
    ("speeds", "tokens_per_s", "grown_s", "kv", "bound", "seconds"),
    [
        (SPEEDS, 40.0, 0.0, 0, Bound.MEMORY, (0.020, 0.0, 0.005)),
        (SPEEDS, 60.0, 0.0, 0, Bound.MEMORY, (1 / 60, 0.0, 0.0)),
        (replace(SPEEDS, bytes_per_s=20 * GB), 9.0, 0.0, 0, Bound.COMPUTE, (0.020, 0.080, 1 / 9 - 0.1)),
        (SPEEDS, 10.0, 0.0, 0, Bound.OVERHEAD, (0.020, 0.0, 0.080)),
        (SPEEDS, 25.5, 0.0, 0, Bound.MEMORY, (0.020, 0.0, 1 / 25.5 - 0.020)),
        (SPEEDS, 24.5, 0.0, 0, Bound.OVERHEAD, (0.020, 0.0, 1 / 24.5 - 0.020)),
        (SPEEDS, 10.0, 0.070, 1_000_000_000, Bound.COMPUTE, (0.030, 0.060, 0.010)),
        (SPEEDS, 10.0, 0.5, 0, Bound.COMPUTE, (0.020, 0.080, 0.0)),
    ],
)
def test_most_of_the_time_names_the_bound(
    speeds: PeakSpeeds, tokens_per_s: float, grown_s: float, kv: int, bound: Bound, seconds: tuple[float, ...]
) -> None:
    found = ceiling(replace(READS, kv=kv), speeds, tokens_per_s, grown_s)
    assert found.bound is bound
    assert tuple(found.seconds.values()) == pytest.approx(seconds)
    assert sum(found.seconds.values()) == pytest.approx(1 / tokens_per_s)


@pytest.mark.parametrize(
    ("kv", "readout", "tokens_per_s", "name"),
    [
        (0, 100, 40.0, None),
        (2_000_000_000, 100, 20.0, "context"),
        (0, 1_000_000_000, 40.0, "vocabulary"),
        (2_000_000_000, 1_900_000_000, 20.0, "context"),
        (0, 1_000_000_000, 20.0, None),
    ],
)
def test_what_of_the_model_makes_it_slow_is_one_thing_or_none(
    kv: int, readout: int, tokens_per_s: float, name: str | None
) -> None:
    found = cause(ceiling(replace(READS, kv=kv, readout=readout), tokens_per_s=tokens_per_s), on_cpu=True)
    assert (found and found.name) == name


def test_cause_on_a_gpu_that_a_small_model_leaves_idle_is_its_launches() -> None:
    for tokens_per_s, name in ((20.0, "launches"), (40.0, None)):
        found = cause(ceiling(tokens_per_s=tokens_per_s), on_cpu=False)
        assert (found and found.name) == name
    assert "60 % of a token's time" in (cause(ceiling(tokens_per_s=20.0), on_cpu=False) or pytest.fail()).sentence
    assert cause(ceiling(tokens_per_s=20.0), on_cpu=True) is None
