"""The reasoning budget is exact to the token, uses the model's own tag, is reported, and changes nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.bridge.conversation import replay_request
from app.engine.meter.trace import Origin, Trace
from app.engine.protocol import StopFlag
from app.engine.script import python_of
from app.engine.types import (
    ENDLESS,
    KV,
    Channel,
    ChatPrompt,
    Event,
    Form,
    FormKind,
    Limits,
    Message,
    RawPrompt,
    Reason,
    ReplyPrefix,
    Request,
    Role,
    Sampling,
    TokenPrompt,
)
from tests.engine.mlx.conftest import Open, Played, Player
from tests.engine.tiers import mostly_slow

FOX = ChatPrompt((Message(Role.USER, "Tell me about a fox."),), reply_start="<think>\n")
GREEDY = Sampling(temperature=0)
MOST = 6
BRIEF = Request(FOX, GREEDY, Limits(40, think_budget=MOST))


@pytest.fixture
def demo(open_model: Open, demo_model: Path) -> Player:
    return open_model(demo_model)


def mark(player: Player, name: str = "think_end_tokens") -> int:
    assert player.engine._main is not None
    (token,) = getattr(player.engine._main.tokenizer, name)
    return int(token)


def eager(player: Player, name: str = "think_start_tokens", bias: float = 60.0) -> Sampling:
    return replace(GREEDY, logit_bias=((mark(player, name), bias),))


def said(played: Played, voice: Channel) -> str:
    pieces = [*(piece for token in played.tokens for piece in token.shown), *played.finish.released]
    return "".join(piece.text for piece in pieces if piece.voice is voice)


@pytest.mark.parametrize(
    "sampling", mostly_slow([GREEDY, Sampling(1.2, 0.9, 30, 0.02, seed=3, repetition_penalty=1.3)], GREEDY)
)
def test_budget_ends_the_reasoning_with_its_tag(demo: Player, sampling: Sampling) -> None:
    endless = demo.play(replace(BRIEF, sampling=sampling, limits=Limits(40)))
    assert mark(demo) not in endless.ids[: MOST + 1], "it thinks longer than that"
    assert endless.finish.thinking is None
    played = demo.play(replace(BRIEF, sampling=sampling))
    assert played.ids[: MOST + 1] == [*endless.ids[:MOST], mark(demo)]
    assert played.finish.thinking is not None
    assert (played.finish.thinking.put, played.finish.thinking.budget) == ((MOST,), MOST)
    assert said(played, Channel.NORMAL)


def test_budget_feeds_the_forced_tokens(demo: Player) -> None:
    played = demo.play(BRIEF)
    ids = (*played.prompted.prompt.ids, *played.ids[: MOST + 1])
    start = len(played.prompted.prompt.ids)
    rest = demo.play(Request(TokenPrompt(ids, ReplyPrefix(start, reasoning=True)), GREEDY, Limits(40 - MOST - 1)))
    assert played.ids[MOST + 1 :] == rest.ids


@pytest.mark.slow
def test_budget_that_is_not_used_up_changes_nothing(demo: Player) -> None:
    for seed in range(4):
        sampling = Sampling(1.0, seed=seed)
        free = demo.play(replace(BRIEF, sampling=sampling, limits=Limits(40)))
        wide = demo.play(replace(BRIEF, sampling=sampling, limits=Limits(40, think_budget=1_000)))
        assert (wide.ids, wide.finish.thinking) == (free.ids, None)


@pytest.mark.slow
def test_budget_answer_is_the_same_uncached_cached_and_batched(demo: Player) -> None:
    asked = replace(BRIEF, sampling=Sampling(1.0, repetition_penalty=1.2, seed=4))
    first, again = demo.play(asked), demo.play(asked)
    bare = demo.play(replace(asked, kv=KV(enabled=False)))
    assert again.finish.reused > 0
    assert again.ids == bare.ids == first.ids
    others = [replace(asked, sampling=Sampling(1.0, seed=seed)) for seed in range(2)]
    rows: list[list[Event]] = [[] for _ in (asked, *others)]
    ended = demo.engine.generate_together((asked, *others), [row.append for row in rows], StopFlag())
    for row, finish, one in zip(rows, ended, (asked, *others), strict=True):
        alone = demo.play(one)
        assert (Played(finish, row).ids, finish.thinking) == (alone.ids, alone.finish.thinking)
        assert finish.thinking is not None


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [1, 4])
def test_budget_with_a_draft_model_changes_no_token(
    open_model: Open, demo_model: Path, demo_draft: Path, draft_tokens: int
) -> None:
    pair = open_model(demo_model, demo_draft)
    for most in (0, 1, MOST, 11):
        plain = replace(BRIEF, limits=Limits(40, think_budget=most), observe=5)
        alone, drafted = pair.play(plain), pair.play(replace(plain, draft_tokens=draft_tokens))
        assert (drafted.ids, drafted.finish.thinking) == (alone.ids, alone.finish.thinking)
        for one, other in zip(alone.tokens, drafted.tokens, strict=True):
            assert one.observed is not None and other.observed is not None
            assert one.observed.chosen.logprob == pytest.approx(other.observed.chosen.logprob, abs=1e-3)


def test_budget_reports_the_logprobs_of_replaced_tokens(demo: Player) -> None:
    """Forced tokens don't count as certain."""
    free = demo.play(replace(BRIEF, observe=10, limits=Limits(40)))
    held = demo.play(replace(BRIEF, observe=10))
    wanted, put = free.tokens[MOST].observed, held.tokens[MOST].observed
    assert wanted is not None and put is not None
    assert (put.chosen.id, put.top[0].id) == (mark(demo), wanted.chosen.id)
    assert put.chosen.probability < put.top[0].probability
    trace = Trace()
    trace.begin_run()
    trace.extend(held.tokens)
    assert held.finish.thinking is not None
    trace.put_in(held.finish.thinking.put)
    assert [trace.origin(place) for place in (MOST - 1, MOST, MOST + 1)] == [Origin.MODEL, Origin.BUDGET, Origin.MODEL]


def test_constraint_starts_after_the_forced_tag(demo: Player) -> None:
    form = Form().put(FormKind.CHOICES, "yes\nno")
    played = demo.play(replace(BRIEF, form=form))
    assert said(played, Channel.NORMAL) in ("yes", "no")
    assert (played.finish.reason, played.finish.thinking is not None) == (Reason.FORM, True)


def test_budget_ends_reasoning_that_starts_later(demo: Player) -> None:
    asked = replace(BRIEF, prompt=replace(FOX, reply_start=""), sampling=eager(demo))
    played = demo.play(replace(asked, limits=Limits(20, think_budget=0)))
    assert played.ids[:2] == [mark(demo, "think_start_tokens"), mark(demo)]
    assert played.finish.thinking is not None
    assert played.finish.thinking.again > 3, "it does it again and again, which is told"


@pytest.mark.slow
def test_budget_reports_reasoning_that_starts_again(demo: Player) -> None:
    asked = replace(BRIEF, form=Form().put(FormKind.CHOICES, "so</think> yes"))
    played = demo.play(asked)
    assert played.finish.thinking is not None
    assert (played.finish.thinking.late, played.finish.thinking.again) == (1, 0)


@pytest.mark.slow
def test_budget_of_continuations_and_forks_counts_earlier_tokens(demo: Player) -> None:
    whole = demo.play(BRIEF)
    cut = demo.play(replace(BRIEF, limits=Limits(4, think_budget=MOST)))
    ids = (*cut.prompted.prompt.ids, *cut.ids)
    rest = demo.play(replace(BRIEF, prompt=TokenPrompt(ids, written=4), limits=Limits(36, think_budget=MOST)))
    assert cut.ids + rest.ids == whole.ids
    assert rest.finish.thinking is not None and rest.finish.thinking.put == (MOST - 4,)
    start = len(cut.prompted.prompt.ids)
    fork = replace(BRIEF, prompt=TokenPrompt(ids[:-1], ReplyPrefix(start, reasoning=True, text=" oh")))
    forked = demo.play(fork)
    begun = len(forked.prompted.prompt.begun)
    assert forked.finish.thinking is not None and forked.finish.thinking.put == (MOST - begun,)
    for request, played in ((BRIEF, whole), (fork, forked)):
        assert demo.play(replay_request(request, played.prompted.prompt)).ids == played.ids


@pytest.mark.slow
def test_budget_leaves_stop_strings_and_raw_pages_alone(demo: Player) -> None:
    end = said(demo.play(BRIEF), Channel.NORMAL).strip()[:6]
    stopped = demo.play(replace(BRIEF, limits=Limits(40, (end,), think_budget=MOST)))
    assert stopped.finish.reason is Reason.STOP_STRING
    page = replace(BRIEF, prompt=RawPrompt("<think>\nA fox"))
    assert demo.play(page).ids == demo.play(replace(page, limits=Limits(40))).ids


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [0, 2])
@pytest.mark.parametrize("prompt", [FOX, replace(FOX, reply_start="")])
@pytest.mark.parametrize("kv", [KV(), KV(enabled=False)])
def test_script_applies_the_budget(
    open_model: Open, demo_model: Path, demo_draft: Path, draft_tokens: int, prompt: ChatPrompt, kv: KV
) -> None:
    player = open_model(demo_model, demo_draft)
    asked = replace(
        BRIEF, prompt=prompt, kv=kv, draft_tokens=draft_tokens if kv.enabled else 0, limits=Limits(20, think_budget=3)
    )
    asked = replace(asked, sampling=eager(player, bias=25.0))
    played = player.play(asked)
    assert played.finish.thinking is not None
    made: dict[str, object] = {}
    exec(compile(python_of(asked, played.prompted.prompt, player.model), "script", "exec"), made)
    assert made["ids"] == played.ids


def test_budget_on_a_model_without_tags_says_why(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    assert not player.model.can.think_budget
    assert "reasoning tags" in player.model.can.refusal("think_budget")
    asked = Request(RawPrompt("A fox"), GREEDY, Limits(5, think_budget=0))
    assert player.play(asked).ids == player.play(replace(asked, limits=Limits(5))).ids


def test_budget_forces_a_tag_of_several_tokens(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag that the model has started is completed."""
    from app.engine.stop_strings import Markers

    assert demo.engine._main is not None
    main = demo.engine._main
    ids = tuple(main.tokenizer.encode("</stop>", add_special_tokens=False))
    assert len(ids) > 2
    monkeypatch.setattr(main, "markers", Markers.reasoning("<think>", "</stop>"))
    monkeypatch.setattr(main.tokenizer, "_think_end_tokens", ids)
    played = demo.play(BRIEF)
    assert tuple(played.ids[MOST : MOST + len(ids)]) == ids
    assert played.finish.thinking is not None and played.finish.thinking.put == tuple(range(MOST, MOST + len(ids)))
    assert "stop" not in said(played, Channel.NORMAL) + said(played, Channel.REASONING)
    begun = (*played.prompted.prompt.ids, *played.ids[: MOST + 1])
    rest = demo.play(replace(BRIEF, prompt=TokenPrompt(begun, written=MOST + 1), limits=Limits(8, think_budget=MOST)))
    assert tuple(rest.ids[: len(ids) - 1]) == ids[1:]


def test_request_without_budget_serializes_without_it() -> None:
    from app.files import json_values

    assert "think_budget" not in json_values.dumps(Limits, Limits())
    kept = json_values.dumps(Limits, Limits(think_budget=0))
    assert json_values.loads(Limits, kept).think_budget == 0
    assert Limits().think_budget == ENDLESS
