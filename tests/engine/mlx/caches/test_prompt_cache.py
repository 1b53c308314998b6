from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.catalogue import SETTINGS
from app.engine.mlx.run import ModelHook
from app.engine.protocol import StopFlag
from app.engine.text import common_prefix
from app.engine.types import CacheMissReason, Event, Limits, Reason, Request, Reusable, Token
from tests import models
from tests.engine.mlx import asking
from tests.engine.mlx.asking import ALL_MODELS, STUCK
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

IDS = tuple(5 + (index * 37) % 300 for index in range(80))
BRANCH = (*IDS[:12], *IDS[40:60])


def ask(*ids: int, tokens: int = 8, **kv: object) -> Request:
    return asking.ask(ids, None, tokens, **kv)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 3)), st.integers(0, 700))
def test_common_prefix_is_the_longest(left: list[int], right: list[int], both: int) -> None:
    left, right = [7] * both + left, [7] * both + right
    common = common_prefix(tuple(left), tuple(right))
    assert common_prefix(left, tuple(right)) == common
    assert left[:common] == right[:common]
    assert common in (len(left), len(right)) or left[common] != right[common]


def fresh(player: Player, request: Request) -> list[int]:
    return player.play(replace(request, kv=replace(request.kv, reuse=False))).ids


@pytest.mark.slow
@pytest.mark.parametrize("model", ALL_MODELS)
def test_cache_reuse_changes_no_token(open_model: Open, model: str) -> None:
    player = open_model(model)
    first = ask(*IDS[:20])
    onwards = ask(*IDS[:20], *player.play(first).ids, *IDS[20:30])
    for request in (onwards, ask(*BRANCH), first, onwards):
        assert player.play(request).ids == fresh(player, request), request
        player.play(request)


def test_cache_reuse_is_reported(player: Player) -> None:
    first = player.play(ask(*IDS[:20])).prompted
    assert (first.reused, first.new, first.first_difference) == (0, 20, None)
    assert first.cache_note == "nothing was cached yet"
    back = player.play(ask(*BRANCH)).prompted
    assert (back.reused, back.new, back.first_difference) == (12, 20, 12)
    assert back.cache_note == "the prompt differs from the cached tokens at token 12"
    same = player.play(ask(*BRANCH)).prompted
    assert (same.reused, same.new) == (31, 1)
    off = player.play(ask(*BRANCH, reuse=False)).prompted
    assert (off.reused, off.cache_note) == (0, "cache reuse is turned off")
    assert player.play(ask(*BRANCH, 7)).finish.reused == 32, "the run without reuse left its own cache"


@pytest.mark.parametrize("model", ["tiny_llama", *STUCK])
def test_cache_reuse_is_predicted(open_model: Open, model: str) -> None:
    player = open_model(model)
    first = ask(*IDS[:40])
    assert player.reusable(first) == Reusable()
    onwards = ask(*IDS[:40], *player.play(first).ids, *IDS[50:60])
    for request in (onwards, onwards, ask(*BRANCH), ask(*IDS[:12], reuse=False), ask(*IDS, bits=None)):
        predicted = player.reusable(request)
        assert predicted == player.reusable(request), "a prediction changes nothing"
        assert predicted.count == player.play(request).finish.reused


def test_cache_miss_reason_is_predicted(player: Player, open_model: Open) -> None:
    player.play(ask(*IDS[:20]))
    name = player.main.spelling.text(IDS[12])
    assert player.reusable(ask(*IDS[:12], 7, 8)) == Reusable(12, 12, (IDS[12], name), CacheMissReason.DIFFERS)
    assert player.reusable(ask(*IDS[:12])) == Reusable(11, 12, None, CacheMissReason.NONE)
    for change, reason in (
        ({"reuse": False}, CacheMissReason.OFF),
        ({"enabled": False}, CacheMissReason.BARE),
        ({"bits": 8}, CacheMissReason.SETTINGS),
    ):
        assert player.reusable(ask(*IDS[:12], **change)).hindrance is reason
    stuck = open_model("recurrent")
    stuck.play(ask(*IDS[:20]))
    back = stuck.reusable(ask(*IDS[:12], *IDS[30:32]))
    assert (back.count, back.same, back.hindrance) == (0, 12, CacheMissReason.STUCK)
    assert back.cached is not None and back.cached[0] == IDS[12]


@pytest.mark.parametrize("model", STUCK)
def test_cache_that_is_untrimmable_is_only_continued(open_model: Open, model: str) -> None:
    player = open_model(model)
    player.play(ask(*IDS[:60]))
    back = player.play(ask(*IDS[:30])).prompted
    assert back.reused == 0 and "can't be trimmed" in back.cache_note
    played = player.play(ask(*IDS[:50], tokens=1))
    longer = ask(*IDS[:50], *played.ids, 7, 8, 9)
    onwards = player.play(longer)
    assert onwards.finish.reused == 51
    assert onwards.ids == fresh(player, longer)


@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama", "recurrent"))
def test_continuation_reports_an_untrimmable_cache(open_model: Open, model: str) -> None:
    """Continue sends what is cached to the last token, one of which is processed again."""
    player, stuck = open_model(model), model in STUCK
    first = player.play(ask(*IDS))
    again = player.play(ask(*IDS, *first.ids))
    assert not first.prompted.stuck
    assert again.prompted.stuck == stuck
    assert again.finish.reused == (0 if stuck else len(IDS) + len(first.ids) - 1)
    assert not player.play(ask(5, 6)).prompted.stuck or stuck


@pytest.mark.parametrize("model", ["tiny_llama", "llama3_rope"])
def test_uncached_run_gives_the_same_tokens(open_model: Open, model: str) -> None:
    player = open_model(model)
    bare = player.play(ask(*IDS[:20], enabled=False))
    cached = player.play(ask(*IDS[:20]))
    assert bare.ids == cached.ids and bare.memories[-1].kv == 0
    assert bare.conditions.hindrance is CacheMissReason.BARE
    assert player.play(ask(*IDS[:20], enabled=False)).memories[-1].kv == cached.memories[-1].kv > 0


def test_uncached_run_ends_at_a_stop_id(player: Player) -> None:
    third = player.play(ask(*IDS[:20])).ids[2]
    request = replace(ask(*IDS[:20], enabled=False), limits=Limits(9, stop_ids=(third,)))
    ended = player.play(request).finish
    assert (ended.reason, ended.library_reason, ended.stop_id) == (Reason.STOP, "stop", third)


@pytest.mark.parametrize(("at", "observe"), [(0, 0), (1, 3), (4, 0)])
def test_uncached_run_emits_no_token_after_stop(player: Player, at: int, observe: int) -> None:
    """Stop comes in the middle of a pass, which may take long."""
    stop, passes = StopFlag(), iter(range(99))

    def before(_count: int) -> bool:
        if next(passes) == at:
            stop.ask()
        return False

    player.main.module = ModelHook(player.main.module, before)
    events: list[Event] = []
    finish = player.engine.generate(replace(ask(*IDS[:20], enabled=False), observe=observe), events.append, stop)
    assert (finish.reason, finish.failure, finish.tokens) == (Reason.STOPPED, None, at)
    assert sum(isinstance(event, Token) for event in events) == at


def test_cache_that_is_quantized_is_smaller_and_reused(open_model: Open, tmp_path: Path) -> None:
    player = open_model(models.tiny_llama(tmp_path / "wide", head_dim=64))
    plain = player.play(ask(*IDS))
    packed = player.play(ask(*IDS, bits=8))
    assert (packed.finish.reason, packed.finish.reused) == (Reason.LENGTH, 0)
    assert packed.prompted.cache_note == "the cache was made with other settings"
    assert packed.memories[-1].kv < plain.memories[-1].kv
    assert player.play(ask(*IDS, 5, 6, bits=8)).finish.reused >= len(IDS)


@pytest.fixture
def sized(open_model: Open, tmp_path: Path) -> Player:
    """A model that makes no cache of its own, so that the size may be chosen."""
    return open_model(models.tiny_llama(tmp_path / "qwen2", model_type="qwen2", architectures=["Qwen2ForCausalLM"]))


def test_cache_settings_that_mlx_lm_would_ignore_are_refused(player: Player, sized: Player, open_model: Open) -> None:
    assert "Heads of size 16" in player.failure(ask(*IDS, bits=4)).what
    assert "Only a plain KV cache" in open_model("sliding_window").failure(ask(*IDS, bits=4)).what
    assert sized.failure(ask(*IDS, max_size=32, bits=8, group_size=32)).kind == "kv"
    own_cache = player.failure(ask(*IDS, max_size=32))
    assert own_cache.what == "This model makes its own KV cache, which has no size setting."


def test_cache_of_limited_size_is_smaller_and_keeps_the_first_four_tokens(sized: Player) -> None:
    assert sized.model.can.max_kv_size
    whole = sized.play(ask(*IDS))
    small = sized.play(ask(*IDS, max_size=32))
    assert small.prompted.cache_note == "the cache was made with other settings"
    assert small.memories[-1].kv < whole.memories[-1].kv
    assert small.finish.tokens == whole.finish.tokens
    assert "can't be trimmed" in sized.play(ask(*IDS[:40], max_size=32)).prompted.cache_note
    # As the setting's text says: mlx-lm makes the rotating cache with keep=4.
    assert {cache.keep for cache in sized.main.new_cache(32)} == {4}
    assert "first 4 tokens" in SETTINGS["kv_max_size"].meaning
