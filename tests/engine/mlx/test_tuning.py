from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx import memory
from app.engine.types import Failure, Limits, Model, RawPrompt, Reason, Request, Sampling, Tuning
from tests.engine.mlx.conftest import Played, Player

GREEDY = Request(
    RawPrompt("Rivers run to the sea, and the sea is never full. " * 8), Sampling(temperature=0), Limits(8)
)
LONG = Request(RawPrompt("Once"), Sampling(temperature=0), Limits(600))
SMALL_BYTES = 100_000


@pytest.fixture(autouse=True)
def restored_limit() -> Iterator[None]:
    before = mx.get_memory_limit()
    yield
    memory.set_limit(0)
    assert mx.get_memory_limit() == before


def step(played: Played) -> int:
    """Return the size of the prefill steps; only the last one may be smaller."""
    return max(after.done - before.done for before, after in pairwise(played.prefills))


@pytest.mark.parametrize("chunk", [16, 33])
def test_prefill_step_size_reaches_mlx_lm_and_changes_no_token(player: Player, tiny_llama: Path, chunk: int) -> None:
    usual = player.play(GREEDY)
    for tuning, is_tuned in ((Tuning(prefill_chunk=chunk), True), (Tuning(), False)):
        player.engine.tune(tuning)
        player.engine.unload()
        assert isinstance(player.load(tiny_llama), Model)
        again = player.play(GREEDY)
        assert (step(again) == chunk) is is_tuned and again.ids == usual.ids
    assert step(usual) != chunk


def test_prefill_step_size_applies_to_the_open_model(player: Player) -> None:
    player.engine.tune(Tuning(prefill_chunk=20))
    assert step(player.play(GREEDY)) == 20


def test_load_above_the_memory_limit_is_refused_or_forced(player: Player, tiny_llama: Path) -> None:
    engine, of_device = player.engine, player.engine.memory().limit
    engine.unload()
    limit = SMALL_BYTES + mx.get_active_memory()
    engine.tune(Tuning(memory_limit=limit))
    assert engine.memory().limit == limit == mx.get_memory_limit()
    refused = player.load(tiny_llama)
    assert isinstance(refused, Failure) and refused.kind == "memory"
    assert "memory limit that you set" in refused.what and "settings" in refused.todo
    assert isinstance(player.load(tiny_llama, anyway=True), Model)
    assert player.play(GREEDY).finish.failure is None, "its runs are not checked either"
    for wanted in (0, 100 * of_device):
        engine.tune(Tuning(memory_limit=wanted))
        assert engine.memory().limit == of_device
    assert isinstance(player.load(tiny_llama), Model)


@pytest.mark.slow
def test_run_ends_before_its_cache_exceeds_the_limit(player: Player) -> None:
    each = player.model.kv.values * player.model.kv.bytes_per_value
    player.engine.tune(Tuning(memory_limit=mx.get_active_memory() + 300 * each))
    played = player.play(LONG)
    failure = played.finish.failure
    assert played.finish.reason is Reason.ERROR and failure is not None
    assert (failure.kind, "can't grow" in failure.what) == ("memory", True)
    player.engine.tune(Tuning())
    whole = player.play(LONG)
    assert whole.finish.reason is Reason.LENGTH
    assert played.ids and whole.ids[: len(played.ids)] == played.ids
