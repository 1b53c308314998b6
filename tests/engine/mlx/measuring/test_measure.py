"""What the machine does is measured with real work; how much of it, and that it is real, is looked at here."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.jobs import CountReads, MeasureDecoding, MeasureSpeeds
from app.engine.mlx import memory
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.measuring import measure
from app.engine.protocol import StopFlag
from app.engine.types import Decoded, Event, Failure, Matrix, Prefill, Reads, Speeds, Stopped
from tests.engine.mlx.conftest import Open

DENSE = Matrix(256, 64, 256 * 64 * 4, "float32")
QUANTISED = Matrix(256, 64, 256 * 64 // 2, "float32", 4, 32, "affine")


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PASS_S", "STREAM_S", "PRODUCT_S"):
        monkeypatch.setattr(measure, name, 0.005)


@pytest.mark.parametrize(
    "matrix",
    [
        DENSE,
        QUANTISED,
        Matrix(64, 64, 1, "bfloat16"),
        *(Matrix(64, 64, 1, "float32", bits, size, mode) for mode, bits, size in (("mxfp4", 4, 32), ("nvfp4", 4, 16))),
    ],
)
def test_every_kind_of_matrix_is_measured(matrix: Matrix) -> None:
    found = measure.measure_speeds(matrix, 500_000)
    assert min(found.bytes_per_s, found.plain_bytes_per_s, found.products_per_s) > 0


def test_the_bytes_streamed_are_those_of_real_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second for each turn: as many bytes a second as there are in turn."""
    monkeypatch.setattr(measure, "PASS_S", 1_000.0)
    monkeypatch.setattr(measure, "_turn_times", lambda work, seconds: iter([work() or 1.0]))
    usual = measure._allocate
    for matrix in (DENSE, QUANTISED):
        made: list[measure.Weights] = []
        monkeypatch.setattr(measure, "_allocate", lambda kind, made=made: made.append(usual(kind)) or made[-1])
        working_set, speed = measure._measure_bandwidth(matrix, 1_000_000)
        each = sum(array.nbytes for array in made[0].arrays)
        assert 1_000_000 <= working_set == speed == each * len(made) < 1_000_000 + each


def test_no_more_memory_is_taken_than_is_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a last matrix that reaches beyond."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 400_000)
    assert measure.measure_speeds(DENSE, 10_000_000).working_set <= 100_000 + DENSE.bytes
    large = Matrix(1 << 20, 64, (1 << 20) * 64 * 4, "float32")
    assert measure.measure_speeds(large, large.bytes).working_set <= 2 * 100_000


@pytest.mark.slow
def test_a_model_is_watched_with_its_context_before_it(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    told: list[Event] = []
    decoded = player.engine.run_job(MeasureDecoding(200), told.append, StopFlag())
    assert isinstance(decoded, Decoded) and min(decoded.tokens_per_s, decoded.prompt_tokens_per_s) > 0
    assert max(event.total for event in told if isinstance(event, Prefill)) == 201
    assert decoded.grown_s < 1 / decoded.tokens_per_s


def test_the_time_of_a_token_is_that_between_arrivals(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that goes on by itself: 2 ms a token alone, 5 ms behind a text, which is read at 10 ms a chunk."""
    player = open_model(tiny_llama)
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
    decoded = player.engine.run_job(MeasureDecoding(100), lambda event: None, StopFlag())
    assert isinstance(decoded, Decoded)
    assert decoded.tokens_per_s == pytest.approx(200) and decoded.grown_s == pytest.approx(0.003)
    assert decoded.prompt_tokens_per_s == pytest.approx(100 / 0.02), "without the first token's own time"


def test_it_can_be_called_off_and_fails_in_a_sentence(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = open_model(tiny_llama)
    stop = StopFlag()
    assert isinstance(player.engine.run_job(MeasureDecoding(50), lambda event: stop.ask(), stop), Stopped)
    assert isinstance(player.engine.run_job(CountReads(50), lambda event: None, StopFlag()), Reads)
    monkeypatch.setattr(player.engine._main.module.model, "layers", None)  # type: ignore[union-attr]
    assert isinstance(player.engine.run_job(CountReads(50), lambda event: None, StopFlag()), Failure)
    empty = MlxEngine()
    assert isinstance(empty.run_job(MeasureSpeeds(DENSE, 1), lambda event: None, StopFlag()), Failure) and isinstance(
        empty.run_job(CountReads(0), lambda event: None, StopFlag()), Failure
    )
    assert isinstance(player.engine.run_job(MeasureSpeeds(DENSE, 1), lambda event: None, StopFlag()), Speeds)
