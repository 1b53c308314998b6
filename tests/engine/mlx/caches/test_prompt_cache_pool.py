"""Caches of conversations that were left: what is found of them, what they share, what goes first."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from app.engine.mlx.caches.prompt_cache_pool import BLOCK, MOST, PromptCachePool
from app.engine.protocol import StopFlag
from app.engine.types import CacheMissReason, LoadRequest, Model, Tuning
from tests import adapters, models
from tests.engine.mlx.asking import ALL_MODELS, GREEDY, STUCK, A, B, ask, text
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow


def cut(ids: tuple[int, ...], size: int = 1) -> list[KVCache]:
    """A cache whose keys are the ids, so that it can be seen whether the right ones come back."""
    cache = KVCache()
    keys = mx.array(ids, mx.float32).reshape(1, 1, -1, 1) * mx.ones((1, 1, 1, size))
    cache.update_and_fetch(keys, keys)
    return [cache]


def held(caches: list[Any]) -> list[int]:
    keys, _ = caches[0].keys_and_values()
    return [int(each) for each in keys[0, 0, :, 0].tolist()]


@pytest.fixture
def kept() -> PromptCachePool:
    caches = PromptCachePool()
    caches.budget = 10**9
    return caches


def test_what_is_kept_comes_back_as_it_was(kept: PromptCachePool) -> None:
    kept.keep(cut(A), A, "kind", 1)
    for common in (1, BLOCK - 1, BLOCK, BLOCK + 1, 599, 600):
        prompt = (*A[:common], 1, 2, 3)
        found = kept.find(prompt, "kind", 0)
        assert found is not None and found.usable(prompt) == common
        caches, ids = found.made(common)
        assert list(ids) == list(A[: len(ids)]) == held(caches)
        assert min(common + 1, 600) <= len(ids) <= common + BLOCK


def test_what_goes_on_leaves_what_is_kept_alone(kept: PromptCachePool) -> None:
    kept.keep(cut(A), A, "kind", 1)
    found = kept.find((*A, 7), "kind", 0)
    assert found is not None
    caches, _ = found.made(300)
    caches[0].trim(caches[0].offset - 300)
    caches[0].update_and_fetch(mx.ones((1, 1, 400, 1)), mx.ones((1, 1, 400, 1)))
    assert held(found.made(600)[0]) == list(A)


def test_only_its_own_kind_is_found_and_only_more_of_it(kept: PromptCachePool) -> None:
    kept.keep(cut(A), A, "kind", 1)
    assert kept.find((*A, 7), "other", 0) is None
    assert kept.find((*A, 7), "kind", 600) is None
    assert kept.find((*A, 7), "kind", 599) is not None


def test_a_common_beginning_is_kept_once(kept: PromptCachePool) -> None:
    branch = (*A[:550], *B[:60])
    kept.keep(cut(A), A, "kind", 1)
    alone = kept.size
    kept.keep(cut(branch), branch, "kind", 2)
    more = kept.size - alone
    assert more == (len(branch) - 512) * 8, "two blocks are shared, keys and values of four bytes each"
    for ids, session in ((A, 1), (branch, 2)):
        found = kept.find((*ids, 7), "kind", 0)
        assert found is not None and found.session == session
        assert held(found.made(len(ids))[0]) == list(ids)


def test_a_longer_one_takes_the_place_of_its_own_beginning(kept: PromptCachePool) -> None:
    kept.keep(cut(A[:300]), A[:300], "kind", 1)
    kept.keep(cut(A), A, "kind", 2)
    assert kept.size == 600 * 8
    kept.keep(cut(A[:300]), A[:300], "kind", 3)
    assert kept.size == 600 * 8
    found = kept.find((*A[:300], 7), "kind", 0)
    assert found is not None and found.session == 2


def test_the_budget_holds_and_what_takes_most_room_for_its_tokens_goes(kept: PromptCachePool) -> None:
    kept.budget = 600 * 8 * 3
    kept.keep(cut(A, 2), A, "wide", 1)
    kept.keep(cut(B), B, "kind", 2)
    assert kept.size == kept.budget
    third = text(3, 300)
    kept.keep(cut(third), third, "kind", 3)
    assert kept.size == 900 * 8
    assert kept.find((*A, 7), "wide", 0) is None
    assert kept.find((*B, 7), "kind", 0) is not None


def test_among_equals_the_one_that_was_of_use_longest_ago_goes(kept: PromptCachePool) -> None:
    kept.budget = 256 * 8 * 3
    each = [text(seed, 256) for seed in range(6)]
    for session, ids in enumerate(each):
        kept.keep(cut(ids), ids, "kind", session)
        first = kept.find((*each[0], 7), "kind", 0)
        assert first is not None, "what is of use stays"
        kept.use(first)
    assert [kept.find((*ids, 7), "kind", 0) is not None for ids in each] == [True, False, False, False, True, True]


def test_one_that_is_larger_than_the_budget_is_not_kept(kept: PromptCachePool) -> None:
    kept.budget = 100
    kept.keep(cut(A), A, "kind", 1)
    assert kept.size == 0
    assert kept.find((*A, 7), "kind", 0) is None


def test_there_are_never_too_many_to_look_through(kept: PromptCachePool) -> None:
    for seed in range(MOST + 5):
        ids = text(seed, 20)
        kept.keep(cut(ids), ids, "kind", seed)
    assert kept.size == MOST * 20 * 8


@pytest.mark.slow
@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama"))
def test_coming_back_reads_what_is_new(open_model: Open, request: pytest.FixtureRequest, model: str) -> None:
    player = open_model(request.getfixturevalue(model))
    first = player.play(ask(A, 1))
    other = player.play(ask(B, 2))
    ids = (*A, *first.ids, 7, 8, 9)
    asked = ask(ids, 1)
    assert player.engine.reusable(ids, asked).count == len(A) + len(first.ids)
    back = player.play(asked)
    assert (back.finish.reused, back.finish.new) == (len(ids) - 3, 3)
    assert back.ids == player.play(ask(ids, None, reuse=False)).ids
    assert player.play(ask((*B, *other.ids, 7), 2)).finish.reused == len(B) + 4


@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama"))
def test_another_answer_begins_where_the_prompt_was_read(
    open_model: Open, request: pytest.FixtureRequest, model: str
) -> None:
    player = open_model(request.getfixturevalue(model))
    player.play(ask(A, 1))
    for prompt, reused in ((A, 599), ((*A, 7), 599 if model in STUCK else 600)):
        again = player.play(ask(prompt, 1))
        assert again.finish.reused == reused
        assert again.ids == player.play(ask(prompt, None, reuse=False)).ids


def test_whose_beginning_it_is_is_told(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    prompt = (*A[:300], 7, 8)
    found = player.engine.reusable(prompt, ask(prompt, 3))
    assert (found.count, found.same, found.hindrance, found.session) == (300, 300, CacheMissReason.DIFFERS, 1)
    assert found.cached is not None and found.cached[0] == A[300]
    played = player.play(ask(prompt, 3))
    assert (played.prompted.reused, played.prompted.session) == (300, 1)
    assert player.play(ask((*A, 7), 1)).prompted.session == 0, "its own"
    assert player.play(ask((*A, 8), 4)).prompted.session == 1, "that of the conversation that has just been on"
    assert player.play(ask(text(9, 50), 5)).prompted.session == 0, "nothing of it was read for anybody"


@pytest.mark.slow
def test_branches_and_forks_find_each_other(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    first = player.play(ask(A, tokens=40))
    other = player.play(ask((*A[:580], *B[:20]), tokens=40))
    assert other.finish.reused == 580
    back = player.play(ask((*A, *first.ids, 7)))
    assert back.finish.reused == 640
    forked = player.play(ask((*A[:580], *B[:20], *other.ids[:30], 9)))
    assert forked.finish.reused == 630
    assert forked.prompted.session == 0


@pytest.mark.slow
def test_what_belongs_to_nobody_finds_and_leaves_nothing(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, None))
    found = player.engine.reusable(A, ask(A, None))
    assert found.same == 0
    assert player.play(ask((*A, 7), None)).finish.reused == 0
    player.play(ask(B, None, reuse=False))
    assert player.play(ask((*B, 7), 1)).finish.reused == len(B), "the last run's, as ever"
    player.play(ask(text(3, 50), None, reuse=False))
    assert player.play(ask((*B, 8), 2)).finish.reused == len(B), "it was a conversation's by then"
    player.play(ask(text(4, 50), None))
    player.play(ask(text(5, 50), None))
    assert player.play(ask((*text(4, 50), 8), 2)).finish.reused == 0
    assert player.play(ask((*A, 7), 1)).finish.reused == len(A)


def test_reuse_switched_off_finds_nothing(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    assert player.play(ask((*A, 7), 1, reuse=False)).finish.reused == 0


@pytest.mark.slow
def test_each_kind_of_cache_finds_its_own(open_model: Open, tmp_path: Path) -> None:
    player = open_model(models.tiny_llama(tmp_path / "wide", head_dim=64))
    player.play(ask(A, 1))
    player.play(ask(A, 1, bits=8))
    player.play(ask(B, 1, bits=4))
    found = player.engine.reusable
    assert found((*A, 7), ask((*A, 7), 1)).count == len(A)
    assert found((*A, 7), ask((*A, 7), 1, bits=8)).count == len(A)
    other = found((*A, 7), ask((*A, 7), 1, bits=4))
    assert (other.count, other.hindrance) == (0, CacheMissReason.DIFFERS)
    assert found((*A, 7), ask((*A, 7), 1, bits=2)).hindrance is CacheMissReason.SETTINGS
    back = player.play(ask((*A, 7), 1, bits=8))
    assert back.finish.reused == len(A)
    straight = open_model(models.tiny_llama(tmp_path / "wide", head_dim=64))
    straight.play(ask(A, None, bits=8))
    assert back.ids == straight.play(ask((*A, 7), None, bits=8)).ids, "as if the conversation had never been left"


@pytest.mark.slow
def test_one_that_becomes_quantised_on_its_way_shares_nothing_with_what_it_was(
    open_model: Open, tmp_path: Path
) -> None:
    player = open_model(models.tiny_llama(tmp_path / "wide", head_dim=64))
    late = {"bits": 8, "quantized_start": 610}
    player.play(ask(A, 1, **late))
    player.play(ask((*A[:500], *B), 1, **late))
    player.play(ask(B, 1, **late))
    assert player.play(ask((*A, 7), 1, **late)).finish.reused == len(A)
    assert player.play(ask((*A[:500], *B, 7), 1, **late)).finish.reused == 1100


@pytest.mark.slow
def test_a_model_that_goes_takes_its_caches_along(open_model: Open, tiny_llama: Path, llama3_rope: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    assert player.engine.memory().kept
    for folder in (llama3_rope, tiny_llama):
        load(player, folder)
        assert player.engine.memory().kept == 0
        assert player.play(ask((*A, 7), 1)).finish.reused == 0


@pytest.mark.slow
def test_a_draft_model_that_goes_takes_them_along(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama, tiny_llama)
    drafted = replace(ask(A, 1), draft_tokens=2)
    first = player.play(drafted)
    player.play(replace(ask(B, 2), draft_tokens=2))
    back = player.play(replace(ask((*A, *first.ids, 7), 1), draft_tokens=2))
    assert back.finish.reused >= len(A)
    assert back.ids == player.play(ask((*A, *first.ids, 7), None, reuse=False)).ids
    load(player, tiny_llama)
    assert player.play(ask((*A, 7), 1)).finish.reused == 0


@pytest.mark.slow
def test_an_adapter_has_its_own_and_another_file_of_its_name_none(
    open_model: Open, tiny_llama: Path, tmp_path: Path
) -> None:
    lora = adapters.adapter(tmp_path / "lora", tiny_llama)
    player = open_model(tiny_llama, adapter=lora)
    player.play(ask(A, 1))
    off = replace(ask((*A, 7), 1), sampling=replace(GREEDY, adapter_strength=0))
    assert player.play(off).finish.reused == 0
    load(player, tiny_llama)
    assert player.play(ask((*A, 8), 1)).finish.reused == len(A), "what was read at strength 0 is the model's own"
    load(player, tiny_llama, lora)
    assert player.play(ask((*A, 9), 1)).finish.reused == len(A)
    load(player, tiny_llama)
    weights = lora / "adapters.safetensors"
    os.utime(weights, ns=(1, 1))
    load(player, tiny_llama, lora)
    assert player.play(ask((*A, 10), 1)).finish.reused == 0


def test_a_budget_that_is_set_counts_at_once(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    player.play(ask(text(3, 600), 3))
    both = player.engine.memory().kept
    player.engine.tune(Tuning(kept_bytes=both - 1))
    assert 0 < player.engine.memory().kept <= both // 2
    assert player.play(ask((*B, 7), 2)).finish.reused == len(B)


def test_a_run_that_would_not_fit_has_them_make_room(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, 2))
    kept = player.engine.memory().kept
    each = kept // 600
    free: Callable[[], int] = lambda: each * 100 + kept - player.engine.memory().kept  # noqa: E731
    monkeypatch.setattr("app.engine.mlx.memory.available_bytes", free)
    played = player.play(ask((*A[:100], *text(3, 400)), 3, tokens=1))
    assert played.finish.failure is None
    assert player.engine.memory().kept < kept


def test_an_error_of_the_library_leaves_nothing_kept(
    open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = open_model(tiny_llama)
    player.play(ask(A, 1))
    player.play(ask(B, 2))

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("planted")

    with monkeypatch.context() as patch:
        patch.setattr("app.engine.mlx.run.stream_generate", broken)
        assert player.play(ask((*A, 7), 1)).finish.failure is not None
    assert player.engine.memory().kept == 0
    assert player.play(ask((*A, 7), 1)).ids == player.play(ask((*A, 7), None, reuse=False)).ids


def load(player: Player, folder: Path, adapter: Path | None = None) -> None:
    request = LoadRequest(str(folder), adapter=str(adapter) if adapter else None)
    opened = player.engine.load(request, lambda event: None, StopFlag())
    assert isinstance(opened, Model), opened
