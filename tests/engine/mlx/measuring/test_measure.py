import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import Mock

import mlx.core as mx
import pytest

from app.engine.jobs import CountReads, MeasureDecoding, MeasureSpeeds
from app.engine.mlx import memory
from app.engine.mlx.measuring import measure
from app.engine.types import Event, Failure, Matrix, PeakSpeeds, Prefill
from tests.engine.mlx.conftest import Player

DENSE = Matrix(256, 64, 256 * 64 * 4, "float32")
QUANTIZED = Matrix(256, 64, 256 * 64 // 2, "float32", 4, 32, "affine")


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PASS_S", "STREAM_S", "PRODUCT_S"):
        monkeypatch.setattr(measure, name, 0.005)


def measured(matrix: Matrix, working_set: int) -> PeakSpeeds:
    missing: Any = None
    return measure.measure_speeds(missing, MeasureSpeeds(matrix, working_set))


@pytest.mark.parametrize(
    "matrix",
    [
        DENSE,
        QUANTIZED,
        Matrix(64, 64, 1, "bfloat16"),
        *(Matrix(64, 64, 1, "float32", bits, size, mode) for mode, bits, size in (("mxfp4", 4, 32), ("nvfp4", 4, 16))),
    ],
)
def test_speeds_of_every_kind_of_matrix_are_measured(matrix: Matrix) -> None:
    found = measured(matrix, 500_000)
    assert min(found.bytes_per_s, found.plain_bytes_per_s, found.products_per_s) > 0


@pytest.mark.parametrize("matrix", [DENSE, QUANTIZED])
def test_bandwidth_counts_the_bytes_of_all_arrays(matrix: Matrix, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn takes one second, so the speed is the number of bytes."""
    monkeypatch.setattr(measure, "PASS_S", 1_000.0)
    monkeypatch.setattr(measure, "_turn_times", lambda work, seconds: iter([work() or 1.0]))
    allocate = Mock(wraps=measure._allocate)
    monkeypatch.setattr(measure, "_allocate", allocate)
    working_set, speed = measure._measure_bandwidth(matrix, 1_000_000)
    each = sum(array.nbytes for array in measure._allocate(matrix).arrays)
    assert working_set == each * (allocate.call_count - 1) and abs(working_set - 1_000_000) <= each / 2
    assert 1_000_000 <= speed < 1_000_000 + each


@pytest.mark.parametrize("needed", [40_000_000, 300_000_000, 16_000_000_000])
@pytest.mark.parametrize("bytes_per_s", [2e9, 4.8e12])
def test_bandwidth_of_a_fast_gpu_is_measured_in_turns_that_grow(
    bytes_per_s: float, needed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A simulated device: 20 µs for the launch of a turn and the wait for its end, 0.2 µs for each product."""
    turn, products = Mock(wraps=measure._measure_turn), list[int]()

    def allocate(part: Matrix) -> Mock:
        return Mock(arrays=(Mock(nbytes=part.bytes),), times=lambda _vector: products.append(part.bytes))

    def turn_times(work: Callable[[], object], _seconds: float) -> Iterator[float]:
        products.clear()
        work()
        yield 2e-5 + len(products) * 2e-7 + sum(products) / bytes_per_s

    for name, fake in (("_measure_turn", turn), ("_allocate", allocate), ("_turn_times", turn_times)):
        monkeypatch.setattr(measure, name, fake)
    monkeypatch.setattr(measure, "PASS_S", 0.25)
    monkeypatch.setattr(mx, "eval", lambda *_: None)
    monkeypatch.setattr(memory, "available_bytes", lambda: 130_000_000_000)
    large = Matrix(128_256, 4_096, 1_050_000_000, "bfloat16")
    working_set, speed = measure._measure_bandwidth(large, needed)
    assert working_set <= 1.1 * needed and 0.95 * bytes_per_s < speed < bytes_per_s
    assert (turn.call_count == 1) is (bytes_per_s < 1e12)
    assert measure._measure_turn(large, needed, 2 * turn.call_args.args[2])[1] == pytest.approx(speed, rel=0.03)


def test_speeds_use_only_a_share_of_the_free_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_bytes", lambda: 400_000)
    assert measured(DENSE, 10_000_000).working_set <= 100_000 + DENSE.bytes
    large = Matrix(1 << 20, 64, (1 << 20) * 64 * 4, "float32")
    assert measured(large, large.bytes).working_set <= 100_000


@pytest.mark.slow
def test_decode_speed_is_measured_after_a_context(player: Player) -> None:
    events: list[Event] = []
    decoded = player.result(MeasureDecoding(200), events.append)
    assert min(decoded.tokens_per_s, decoded.prompt_tokens_per_s) > 0
    assert max(event.total for event in events if isinstance(event, Prefill)) == 201
    assert decoded.grown_s < 1 / decoded.tokens_per_s


def test_decode_speed_is_that_between_arrivals(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a simulated clock: 2 ms a token alone, 5 ms after a text, which is prefilled at 10 ms a chunk."""
    now = [0.0]

    def steps(
        ids: mx.array, *_: object, max_tokens: int, prompt_progress_callback: Callable[[int, int], None], **__: object
    ) -> Iterator[int]:
        for done in range(0, len(ids), 50):
            prompt_progress_callback(done, len(ids))
            now[0] += 0.01 if done + 50 < len(ids) else 0.0
        prompt_progress_callback(len(ids), len(ids))
        for _place in range(max_tokens):
            now[0] += 0.002 if len(ids) == 1 else 0.005
            yield 1

    monkeypatch.setattr(measure, "generate_step", steps)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    decoded = player.result(MeasureDecoding(100))
    assert decoded.tokens_per_s == pytest.approx(200) and decoded.grown_s == pytest.approx(0.003)
    assert decoded.prompt_tokens_per_s == pytest.approx(100 / 0.02), "without the time of the first token"


def test_measuring_jobs_stop_and_fail(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.cancelled(MeasureDecoding(50), lambda event: True)
    assert player.result(CountReads(50)).context == 50
    monkeypatch.setattr(player.main.module.model, "layers", None)
    assert isinstance(player.do(CountReads(50)), Failure)
    player.result(MeasureSpeeds(DENSE, 1))
    player.engine.unload()
    assert isinstance(player.do(MeasureSpeeds(DENSE, 1)), Failure)
