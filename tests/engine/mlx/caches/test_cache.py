"""The cache from run to run: reuse where it is right, a fresh one where it is not, and always the same output."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.catalogue import SETTINGS
from app.engine.mlx.run import ModelHook
from app.engine.protocol import StopFlag
from app.engine.text import common_prefix
from app.engine.types import (
    KV,
    CacheMissReason,
    Event,
    Limits,
    Prompted,
    Reason,
    Request,
    Reusable,
    Sampling,
    Token,
    TokenPrompt,
)
from tests import models
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

GREEDY = Sampling(temperature=0)
IDS = tuple(5 + (index * 37) % 300 for index in range(80))


def ask(*ids: int, tokens: int = 8, **kv: object) -> Request:
    return Request(TokenPrompt(ids), GREEDY, Limits(tokens), KV(**kv))  # type: ignore[arg-type]


@settings(max_examples=40)
@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 3)), st.integers(0, 700))
def test_common_prefix(left: list[int], right: list[int], both: int) -> None:
    left, right = [7] * both + left, [7] * both + right
    common = common_prefix(tuple(left), tuple(right))
    assert common_prefix(left, tuple(right)) == common
    assert left[:common] == right[:common]
    assert common in (len(left), len(right)) or left[common] != right[common]


def fresh(player: Player, request: Request) -> list[int]:
    return player.play(replace(request, kv=replace(request.kv, reuse=False))).ids


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", mostly_slow(["tiny_llama", "llama3_rope", "sliding_window", "recurrent"], "recurrent")
)
def test_output_is_the_same_with_and_without_reuse(
    open_model: Open, request: pytest.FixtureRequest, model: str
) -> None:
    player = open_model(request.getfixturevalue(model))
    first = ask(*IDS[:20])
    onwards = ask(*IDS[:20], *player.play(first).ids, *IDS[20:30])
    back = ask(*IDS[:12], *IDS[40:60])
    for asked in (onwards, back, first, onwards):
        assert player.play(asked).ids == fresh(player, asked), asked
        player.play(asked)


def test_what_is_reused_is_said(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    first = player.play(ask(*IDS[:20])).prompted
    assert (first.reused, first.new, first.first_difference) == (0, 20, None)
    assert first.cache_note == "nothing was cached yet"
    back = player.play(ask(*IDS[:12], *IDS[40:60])).prompted
    assert (back.reused, back.new, back.first_difference) == (12, 20, 12)
    assert back.cache_note == "the prompt differs from what is cached at token 12"
    same = player.play(ask(*IDS[:12], *IDS[40:60])).prompted
    assert (same.reused, same.new) == (31, 1)
    off = player.play(ask(*IDS[:12], *IDS[40:60], reuse=False)).prompted
    assert (off.reused, off.cache_note) == (0, "cache reuse is turned off")


@pytest.mark.parametrize("model", ["tiny_llama", "sliding_window", "recurrent"])
def test_what_will_be_reused_is_known_before(open_model: Open, request: pytest.FixtureRequest, model: str) -> None:
    player = open_model(request.getfixturevalue(model))
    first = ask(*IDS[:40])
    assert player.engine.reusable(IDS[:40], first) == Reusable()
    onwards = ask(*IDS[:40], *player.play(first).ids, *IDS[50:60])
    for asked in (onwards, onwards, ask(*IDS[:12], *IDS[40:60]), ask(*IDS[:12], reuse=False), ask(*IDS, bits=None)):
        assert isinstance(asked.prompt, TokenPrompt)
        foreseen = player.engine.reusable(asked.prompt.ids, asked)
        assert foreseen == player.engine.reusable(asked.prompt.ids, asked), "asking changes nothing"
        assert foreseen.count == player.play(asked).finish.reused


@pytest.mark.parametrize("model", ["recurrent", "sliding_window"])
def test_what_cannot_be_rolled_back_starts_afresh(open_model: Open, request: pytest.FixtureRequest, model: str) -> None:
    player = open_model(request.getfixturevalue(model))
    player.play(ask(*IDS[:60]))
    back = player.play(ask(*IDS[:30])).prompted
    assert back.reused == 0
    assert "can't be trimmed" in back.cache_note


@pytest.mark.parametrize("model", ["recurrent", "sliding_window"])
def test_what_cannot_be_rolled_back_can_still_go_on(
    open_model: Open, request: pytest.FixtureRequest, model: str
) -> None:
    player = open_model(request.getfixturevalue(model))
    player.play(ask(*IDS[:50], tokens=1))
    played = player.play(ask(*IDS[:50], tokens=1))
    assert played.finish.reason is Reason.LENGTH
    longer = (*IDS[:50], *played.ids, 7, 8, 9)
    onwards = player.play(ask(*longer))
    assert onwards.finish.reused == 51
    assert onwards.ids == fresh(player, ask(*longer))


def test_a_run_without_reuse_leaves_its_own_cache(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(*IDS[:20], reuse=False))
    assert player.play(ask(*IDS[:30])).finish.reused == 20


def test_the_bare_loop_gives_the_same_tokens(open_model: Open, tiny_llama: Path, llama3_rope: Path) -> None:
    for folder in (tiny_llama, llama3_rope):
        player = open_model(folder)
        bare = player.play(ask(*IDS[:20], enabled=False))
        assert bare.ids == player.play(ask(*IDS[:20])).ids
        assert bare.memories[-1].kv == 0
        assert bare.finish.conditions is not None and bare.finish.conditions.hindrance is CacheMissReason.BARE


def test_beside_the_bare_loop_the_conversation_s_cache_is_counted(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    held = player.play(ask(*IDS[:20])).memories[-1].kv
    assert player.play(ask(*IDS[:20], enabled=False)).memories[-1].kv == held > 0


def test_the_bare_loop_ends_and_stops_as_any_other(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    third = player.play(ask(*IDS[:20])).ids[2]
    request = replace(ask(*IDS[:20], enabled=False), limits=Limits(9, stop_ids=(third,)))
    ended = player.play(request).finish
    assert (ended.reason, ended.library_reason, ended.stop_id) == (Reason.STOP, "stop", third)
    stopped = player.play(ask(*IDS[:20], enabled=False), until=lambda event: hasattr(event, "from_draft"))
    assert stopped.finish.reason is Reason.STOPPED
    assert len(stopped.ids) == 1


@pytest.mark.parametrize(
    ("model", "stuck"), [("tiny_llama", False), ("llama3_rope", False), ("sliding_window", True), ("recurrent", True)]
)
def test_going_on_says_where_all_is_read_again(
    open_model: Open, request: pytest.FixtureRequest, model: str, stuck: bool
) -> None:
    """Continue sends what is cached to the last token, one of which has to be read again to start from."""
    player = open_model(request.getfixturevalue(model))
    first = player.play(ask(*IDS))
    again = player.play(ask(*IDS, *first.ids))
    assert not first.prompted.stuck
    assert again.prompted.stuck == stuck
    assert again.finish.reused == (0 if stuck else len(IDS) + len(first.ids) - 1)
    assert not player.play(ask(5, 6)).prompted.stuck or stuck


@pytest.mark.parametrize("at", [0, 1, 4])
@pytest.mark.parametrize("observe", [0, 3])
def test_the_bare_loop_writes_no_token_after_stop(open_model: Open, tiny_llama: Path, at: int, observe: int) -> None:
    """Stop comes in the middle of a pass, which may take long; what comes out of it is no longer wanted."""
    player, stop, passes = open_model(tiny_llama), StopFlag(), iter(range(99))
    main = player.engine._main
    assert main is not None

    def before(_count: int) -> bool:
        if next(passes) == at:
            stop.ask()
        return False

    main.module = ModelHook(main.module, before)
    events: list[Event] = []
    finish = player.engine.generate(replace(ask(*IDS[:20], enabled=False), observe=observe), events.append, stop)
    assert (finish.reason, finish.failure, finish.tokens) == (Reason.STOPPED, None, at)
    assert sum(isinstance(event, Token) for event in events) == at


def test_the_bare_loop_begins_no_pass_after_stop(open_model: Open, tiny_llama: Path) -> None:
    played = open_model(tiny_llama).play(ask(*IDS[:20], enabled=False), until=lambda event: isinstance(event, Prompted))
    assert (played.finish.reason, played.ids) == (Reason.STOPPED, [])


def test_kv_quantisation(open_model: Open, tmp_path: Path) -> None:
    player = open_model(models.tiny_llama(tmp_path / "wide", head_dim=64))
    plain = player.play(ask(*IDS))
    packed = player.play(ask(*IDS, bits=8))
    assert packed.finish.reason is Reason.LENGTH
    assert packed.finish.reused == 0
    assert packed.prompted.cache_note == "the cache was made with other settings"
    assert packed.memories[-1].kv < plain.memories[-1].kv
    assert player.play(ask(*IDS, 5, 6, bits=8)).finish.reused >= len(IDS)


def test_kv_quantisation_that_would_fail_in_mid_chat_is_refused(
    open_model: Open, tiny_llama: Path, sliding_window: Path
) -> None:
    uneven = open_model(tiny_llama).play(ask(*IDS, bits=4)).finish.failure
    assert uneven is not None and "Heads of size 16" in uneven.what
    rotating = open_model(sliding_window).play(ask(*IDS, bits=4)).finish.failure
    assert rotating is not None and "Only a plain KV cache" in rotating.what


@pytest.fixture
def sized(open_model: Open, tmp_path: Path) -> Player:
    """A model that makes no cache of its own, so that the size may be chosen."""
    return open_model(models.tiny_llama(tmp_path / "qwen2", model_type="qwen2", architectures=["Qwen2ForCausalLM"]))


def test_a_cache_of_chosen_size(sized: Player) -> None:
    assert sized.model.can.max_kv_size
    whole = sized.play(ask(*IDS))
    small = sized.play(ask(*IDS, max_size=32))
    assert small.prompted.cache_note == "the cache was made with other settings"
    assert small.memories[-1].kv < whole.memories[-1].kv
    assert small.finish.tokens == whole.finish.tokens
    assert "can't be trimmed" in sized.play(ask(*IDS[:40], max_size=32)).prompted.cache_note


def test_cache_of_chosen_size_keeps_the_first_four_tokens(sized: Player) -> None:
    """As the setting's text says: mlx-lm makes the rotating cache with keep=4."""
    assert {cache.keep for cache in sized.engine._loaded().new_cache(32)} == {4}
    assert "first 4 tokens" in SETTINGS["kv_max_size"].meaning


def test_a_cache_of_chosen_size_cannot_be_quantised(sized: Player) -> None:
    failure = sized.play(ask(*IDS, max_size=32, bits=8, group_size=32)).finish.failure
    assert failure is not None and failure.kind == "kv"


def test_where_the_size_would_be_ignored_it_is_refused(open_model: Open, tiny_llama: Path) -> None:
    failure = open_model(tiny_llama).play(ask(*IDS, max_size=32)).finish.failure
    assert failure is not None
    assert failure.what == "This model makes its own KV cache, which has no size setting."


def test_why_not_more_is_in_the_cache_is_known_before(open_model: Open, tiny_llama: Path, recurrent: Path) -> None:
    player = open_model(tiny_llama)
    player.play(ask(*IDS[:20]))

    def found(*ids: int, **changes: object) -> Reusable:
        return player.engine.reusable(ids, ask(*ids, **changes))  # type: ignore[arg-type]

    parted = found(*IDS[:12], 7, 8)
    assert player.engine._main is not None
    name = player.engine._main.spelling.text(IDS[12])
    assert parted == Reusable(12, 12, (IDS[12], name), CacheMissReason.DIFFERS)
    assert found(*IDS[:12]) == Reusable(11, 12, None, CacheMissReason.NONE)
    assert found(*IDS[:12], reuse=False).hindrance is CacheMissReason.OFF
    assert found(*IDS[:12], enabled=False).hindrance is CacheMissReason.BARE
    assert found(*IDS[:12], bits=8).hindrance is CacheMissReason.SETTINGS
    stuck = open_model(recurrent)
    stuck.play(ask(*IDS[:20]))
    back = stuck.engine.reusable(IDS[:12] + IDS[30:32], ask(*IDS[:12], *IDS[30:32]))
    assert (back.count, back.same, back.hindrance) == (0, 12, CacheMissReason.STUCK)
    assert back.cached is not None
    assert back.cached[0] == IDS[12]
