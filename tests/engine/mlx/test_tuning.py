"""The memory limit and the prefill step size."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx import memory
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import (
    Failure,
    Limits,
    LoadRequest,
    Model,
    RawPrompt,
    Reason,
    Request,
    Sampling,
    Stopped,
    Tuning,
)
from tests.engine.mlx.conftest import Open, Played, Player

GREEDY = Request(
    RawPrompt("Rivers run to the sea, and the sea is never full. " * 8), Sampling(temperature=0), Limits(8)
)
SMALL_BYTES = 100_000


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    before = mx.get_memory_limit()
    yield
    memory.set_limit(0)
    assert mx.get_memory_limit() == before


def step(played: Played) -> int:
    """The size of the prefill steps; only the last one may be smaller."""
    return max(after.done - before.done for before, after in pairwise(played.prefills))


@pytest.mark.parametrize("chunk", [16, 33])
def test_prefill_step_size_reaches_mlx_lm_and_changes_no_token(open_model: Open, tiny_llama: Path, chunk: int) -> None:
    player = open_model(tiny_llama)
    usual = player.play(GREEDY)
    player.engine.unload()
    player.engine.tune(Tuning(prefill_chunk=chunk))
    again = opened(player)
    assert step(again) == chunk
    assert step(usual) != chunk
    assert again.ids == usual.ids
    player.engine.tune(Tuning())
    assert step(opened(player)) != chunk, "what was measured decides again"


def opened(player: Player) -> Played:
    """Opened again, so that nothing of the prompt is cached."""
    engine = player.engine
    engine.unload()
    assert isinstance(engine.load(LoadRequest(str(player.model.folder)), lambda event: None, StopFlag()), Model)
    return player.play(GREEDY)


def test_tune_applies_to_the_open_model(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.engine.tune(Tuning(prefill_chunk=20))
    assert step(player.play(GREEDY)) == 20


def test_load_above_the_memory_limit_is_refused(tiny_llama: Path) -> None:
    engine = MlxEngine()
    of_device = engine.memory().limit
    engine.tune(Tuning(memory_limit=SMALL_BYTES + mx.get_active_memory()))
    assert engine.memory().limit == SMALL_BYTES + mx.get_active_memory() == mx.get_memory_limit()
    refused = engine.load(LoadRequest(str(tiny_llama)), lambda event: None, StopFlag())
    assert isinstance(refused, Failure)
    assert refused.kind == "memory"
    assert "memory limit that you set" in refused.what
    assert "settings" in refused.todo
    anyway = LoadRequest(str(tiny_llama), anyway=True)
    assert isinstance(engine.load(anyway, lambda event: None, StopFlag()), Model)
    engine.tune(Tuning())
    assert engine.memory().limit == of_device
    assert isinstance(engine.load(LoadRequest(str(tiny_llama)), lambda event: None, StopFlag()), Model)
    engine.unload()


def test_memory_limit_never_exceeds_the_device_limit() -> None:
    engine = MlxEngine()
    of_device = engine.memory().limit
    engine.tune(Tuning(memory_limit=100 * of_device))
    assert engine.memory().limit == of_device


LONG = Request(RawPrompt("Once"), Sampling(temperature=0), Limits(600))


@pytest.mark.slow
def test_run_ends_before_its_cache_exceeds_the_limit(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    each = player.model.kv.values * player.model.kv.bytes_per_value
    player.engine.tune(Tuning(memory_limit=mx.get_active_memory() + 300 * each))
    played = player.play(LONG)
    failure = played.finish.failure
    assert played.finish.reason is Reason.ERROR
    assert failure is not None
    assert (failure.kind, "can't grow" in failure.what) == ("memory", True)
    assert played.text
    player.engine.tune(Tuning())
    whole = player.play(LONG)
    assert whole.finish.reason is Reason.LENGTH, "there is room again"
    assert whole.ids[: len(played.ids)] == played.ids


def test_prompt_whose_cache_does_not_fit_is_refused(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.engine.tune(Tuning(memory_limit=mx.get_active_memory() + 1))
    played = player.play(GREEDY)
    assert played.finish.failure is not None
    assert played.finish.failure.kind == "memory"
    assert played.prefills == []
    player.engine.tune(Tuning())
    assert player.play(GREEDY).finish.failure is None


@pytest.mark.slow
def test_load_anyway_skips_the_memory_checks(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.engine.tune(Tuning(memory_limit=1))
    assert isinstance(load(player.engine, tiny_llama), Failure), "nothing is free"
    anyway = LoadRequest(str(tiny_llama), anyway=True)
    assert isinstance(player.engine.load(anyway, lambda event: None, StopFlag()), Model)
    assert player.play(GREEDY).finish.failure is None


def load(engine: MlxEngine, folder: Path) -> Model | Failure | Stopped:
    return engine.load(LoadRequest(str(folder)), lambda event: None, StopFlag())
