import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from app.engine.mlx.caches.prompt_cache_pool import BLOCK, MOST, PooledCache, PromptCachePool
from app.engine.types import CacheMissReason, Model, Tuning
from tests import adapters, models
from tests.engine.mlx.asking import ALL_MODELS, GREEDY, STUCK, A, B, ask, text
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

TOKEN_BYTES = 8
"""Key and value of a token, four bytes each."""


def cache_of(ids: tuple[int, ...], size: int = 1) -> list[KVCache]:
    """Make a cache whose keys are the ids."""
    cache = KVCache()
    keys = mx.array(ids, mx.float32).reshape(1, 1, -1, 1) * mx.ones((1, 1, 1, size))
    cache.update_and_fetch(keys, keys)
    return [cache]


def ids_in(caches: list[Any]) -> list[int]:
    keys, _ = caches[0].keys_and_values()
    return [int(each) for each in keys[0, 0, :, 0].tolist()]


class Pool(PromptCachePool):
    """A pool with a large budget."""

    def __init__(self) -> None:
        super().__init__()
        self.budget = 10**9

    def add(self, ids: tuple[int, ...], session: int = 1, kind: str = "kind", size: int = 1) -> None:
        self.keep(cache_of(ids, size), ids, kind, session)

    def found(self, *ids: int) -> PooledCache:
        found = self.find(ids, "kind", 0)
        assert found is not None
        return found


@pytest.fixture
def pool() -> Pool:
    return Pool()


def test_pool_returns_a_cache_as_it_was(pool: Pool) -> None:
    pool.add(A)
    for common in (1, BLOCK - 1, BLOCK, BLOCK + 1, 599, 600):
        prompt = (*A[:common], 1, 2, 3)
        found = pool.found(*prompt)
        assert found.usable(prompt) == common
        caches, ids = found.restore(common)
        assert list(ids) == list(A[: len(ids)]) == ids_in(caches)
        assert min(common + 1, 600) <= len(ids) <= common + BLOCK


def test_pool_is_unchanged_by_a_run_that_continues_its_cache(pool: Pool) -> None:
    pool.add(A)
    found = pool.found(*A, 7)
    caches, _ = found.restore(300)
    caches[0].trim(caches[0].offset - 300)
    caches[0].update_and_fetch(mx.ones((1, 1, 400, 1)), mx.ones((1, 1, 400, 1)))
    assert ids_in(found.restore(600)[0]) == list(A)


def test_pool_finds_only_the_same_kind_and_only_more_tokens(pool: Pool) -> None:
    pool.add(A)
    found = [pool.find((*A, 7), kind, more_than) for kind, more_than in (("other", 0), ("kind", 600), ("kind", 599))]
    assert [each is not None for each in found] == [False, False, True]


def test_pool_stores_a_common_prefix_once(pool: Pool) -> None:
    branch = (*A[:550], *B[:60])
    pool.add(A)
    alone = pool.size
    pool.add(branch, 2)
    assert pool.size - alone == (len(branch) - 2 * BLOCK) * TOKEN_BYTES, "two blocks are shared"
    for ids, session in ((A, 1), (branch, 2)):
        found = pool.found(*ids, 7)
        assert found.session == session
        assert ids_in(found.restore(len(ids))[0]) == list(ids)


def test_pool_replaces_a_cache_by_a_longer_one(pool: Pool) -> None:
    for ids, session in ((A[:300], 1), (A, 2), (A[:300], 3)):
        pool.add(ids, session)
    assert pool.size == 600 * TOKEN_BYTES
    assert pool.found(*A[:300], 7).session == 2


def test_pool_drops_the_cache_with_most_bytes_for_its_tokens(pool: Pool) -> None:
    pool.budget = 600 * TOKEN_BYTES * 3
    pool.add(A, 1, "wide", 2)
    pool.add(B, 2)
    assert pool.size == pool.budget
    pool.add(text(3, 300), 3)
    assert pool.size == 900 * TOKEN_BYTES
    assert pool.find((*A, 7), "wide", 0) is None and pool.found(*B, 7).session == 2


def test_pool_drops_the_least_recently_used_among_equals(pool: Pool) -> None:
    pool.budget = 256 * TOKEN_BYTES * 3
    each = [text(seed, 256) for seed in range(6)]
    for session, ids in enumerate(each):
        pool.add(ids, session)
        pool.use(pool.found(*each[0], 7))
    assert [pool.find((*ids, 7), "kind", 0) is not None for ids in each] == [True, False, False, False, True, True]


def test_pool_limits_size_and_number(pool: Pool) -> None:
    for seed in range(MOST + 5):
        pool.add(text(seed, 20), seed)
    assert pool.size == MOST * 20 * TOKEN_BYTES
    pool.budget = 100
    pool.add(A)
    assert (pool.size, pool.find((*A, 7), "kind", 0)) == (0, None)


@pytest.mark.slow
@pytest.mark.parametrize("model", ALL_MODELS)
def test_conversation_that_is_resumed_prefills_only_new_tokens(open_model: Open, model: str) -> None:
    player = open_model(model)
    first = player.play(ask(A, 1))
    other = player.play(ask(B, 2))
    ids = (*A, *first.ids, 7, 8, 9)
    assert player.reusable(ask(ids, 1)).count == len(A) + len(first.ids)
    back = player.play(ask(ids, 1))
    assert (back.finish.reused, back.finish.new) == (len(ids) - 3, 3)
    assert back.ids == player.play(ask(ids, None, reuse=False)).ids
    assert player.play(ask((*B, *other.ids, 7), 2)).finish.reused == len(B) + 4


@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama"))
def test_answer_that_is_regenerated_starts_at_its_prompt(open_model: Open, model: str) -> None:
    player = open_model(model)
    player.play(ask(A, 1))
    for prompt, reused in ((A, 599), ((*A, 7), 599 if model in STUCK else 600)):
        again = player.play(ask(prompt, 1))
        assert again.finish.reused == reused
        assert again.ids == player.play(ask(prompt, None, reuse=False)).ids


def test_reuse_names_the_session_of_the_cache(player: Player) -> None:
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    prompt = (*A[:300], 7, 8)
    found = player.reusable(ask(prompt, 3))
    assert (found.count, found.same, found.hindrance, found.session) == (300, 300, CacheMissReason.DIFFERS, 1)
    assert found.cached is not None and found.cached[0] == A[300]
    played = player.play(ask(prompt, 3))
    assert (played.prompted.reused, played.prompted.session) == (300, 1)
    assert player.play(ask((*A, 7), 1)).prompted.session == 0, "its own"
    assert player.play(ask((*A, 8), 4)).prompted.session == 1, "that of the previous run"
    assert player.play(ask(text(9, 50), 5)).prompted.session == 0, "nothing was reused"


@pytest.mark.slow
def test_branches_and_forks_reuse_each_other(player: Player) -> None:
    first = player.play(ask(A, tokens=40))
    branch = (*A[:580], *B[:20])
    other = player.play(ask(branch, tokens=40))
    assert other.finish.reused == 580
    assert player.play(ask((*A, *first.ids, 7))).finish.reused == 640
    forked = player.play(ask((*branch, *other.ids[:30], 9)))
    assert (forked.finish.reused, forked.prompted.session) == (630, 0)


@pytest.mark.slow
def test_run_without_a_session_neither_uses_nor_fills_the_pool(player: Player) -> None:
    def reused(ids: tuple[int, ...], session: int | None, **kv: bool) -> int:
        return player.play(ask(ids, session, **kv)).finish.reused

    reused(A, 1)
    reused(B, None)
    assert player.reusable(ask(A, None)).same == reused((*A, 7), None) == 0
    reused(B, None, reuse=False)
    assert reused((*B, 7), 1) == len(B), "that of the last run"
    reused(text(3, 50), None, reuse=False)
    assert reused((*B, 8), 2) == len(B), "it belonged to a conversation by then"
    reused(text(4, 50), None)
    reused(text(5, 50), None)
    assert reused((*text(4, 50), 8), 2) == 0
    assert reused((*A, 7), 1) == len(A)
    assert reused((*B, 8), 2, reuse=False) == 0, "reuse is turned off"


@pytest.mark.slow
def test_each_kind_of_cache_is_found_by_its_own_settings(open_model: Open, tmp_path: Path) -> None:
    folder = models.tiny_llama(tmp_path / "wide", head_dim=64)
    player, straight = open_model(folder), open_model(folder)
    for ids, change in ((A, {}), (A, {"bits": 8}), (B, {"bits": 4})):
        player.play(ask(ids, 1, **change))
    assert player.reusable(ask((*A, 7), 1)).count == player.reusable(ask((*A, 7), 1, bits=8)).count == len(A)
    other = player.reusable(ask((*A, 7), 1, bits=4))
    assert (other.count, other.hindrance) == (0, CacheMissReason.DIFFERS)
    assert player.reusable(ask((*A, 7), 1, bits=2)).hindrance is CacheMissReason.SETTINGS
    back = player.play(ask((*A, 7), 1, bits=8))
    straight.play(ask(A, None, bits=8))
    assert (back.finish.reused, back.ids) == (len(A), straight.play(ask((*A, 7), None, bits=8)).ids)


@pytest.mark.slow
def test_cache_that_is_quantized_late_shares_no_blocks_with_its_plain_part(open_model: Open, tmp_path: Path) -> None:
    player = open_model(models.tiny_llama(tmp_path / "wide", head_dim=64))
    late = {"bits": 8, "quantized_start": 610}
    for ids in (A, (*A[:500], *B), B):
        player.play(ask(ids, 1, **late))
    assert player.play(ask((*A, 7), 1, **late)).finish.reused == len(A)
    assert player.play(ask((*A[:500], *B, 7), 1, **late)).finish.reused == 1100


def load(player: Player, folder: Path, adapter: Path | None = None) -> None:
    assert isinstance(player.load(folder, adapter=adapter), Model)


@pytest.mark.slow
def test_pool_is_emptied_with_its_model(player: Player, tiny_llama: Path, llama3_rope: Path) -> None:
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    assert player.engine.memory().kept
    for folder in (llama3_rope, tiny_llama):
        load(player, folder)
        assert player.engine.memory().kept == 0
        assert player.play(ask((*A, 7), 1)).finish.reused == 0


@pytest.mark.slow
def test_pool_is_emptied_with_the_draft_model(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama, tiny_llama)
    first = player.play(replace(ask(A, 1), draft_tokens=2))
    player.play(replace(ask(B, 2), draft_tokens=2))
    back = player.play(replace(ask((*A, *first.ids, 7), 1), draft_tokens=2))
    assert back.finish.reused >= len(A)
    assert back.ids == player.play(ask((*A, *first.ids, 7), None, reuse=False)).ids
    load(player, tiny_llama)
    assert player.play(ask((*A, 7), 1)).finish.reused == 0


@pytest.mark.slow
def test_pool_separates_adapters_and_their_files(open_model: Open, tiny_llama: Path, tmp_path: Path) -> None:
    lora = adapters.adapter(tmp_path / "lora", tiny_llama)
    player = open_model(tiny_llama, adapter=lora)
    player.play(ask(A, 1))
    off = replace(ask((*A, 7), 1), sampling=replace(GREEDY, adapter_strength=0))
    assert player.play(off).finish.reused == 0
    load(player, tiny_llama)
    assert player.play(ask((*A, 8), 1)).finish.reused == len(A), "strength 0 is the model itself"
    load(player, tiny_llama, lora)
    assert player.play(ask((*A, 9), 1)).finish.reused == len(A)
    load(player, tiny_llama)
    os.utime(lora / "adapters.safetensors", ns=(1, 1))
    load(player, tiny_llama, lora)
    assert player.play(ask((*A, 10), 1)).finish.reused == 0


def test_pool_budget_that_is_lowered_applies_at_once(player: Player) -> None:
    for session, ids in enumerate((A, B, text(3, 600)), 1):
        player.play(ask(ids, session))
    both = player.engine.memory().kept
    player.engine.tune(Tuning(kept_bytes=both - 1))
    assert 0 < player.engine.memory().kept <= both // 2
    assert player.play(ask((*B, 7), 2)).finish.reused == len(B)


def test_pool_makes_room_for_a_run_that_would_not_fit(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    kept = player.engine.memory().kept
    free: Callable[[], int] = lambda: kept // 600 * 100 + kept - player.engine.memory().kept  # noqa: E731
    monkeypatch.setattr("app.engine.mlx.memory.available_bytes", free)
    played = player.play(ask((*A[:100], *text(3, 400)), 3, tokens=1))
    assert played.finish.failure is None
    assert player.engine.memory().kept < kept


def test_pool_is_emptied_after_an_error_of_the_library(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    with monkeypatch.context() as patch:
        patch.setattr("app.engine.mlx.run.stream_generate", None)
        assert player.play(ask((*A, 7), 1)).finish.failure is not None
    assert player.engine.memory().kept == 0
    assert player.play(ask((*A, 7), 1)).ids == player.play(ask((*A, 7), None, reuse=False)).ids
