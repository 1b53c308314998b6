from dataclasses import replace

import pytest

from app.bridge.conversation import replay_request
from app.engine.meter.trace import Origin, Trace
from app.engine.stop_strings import Markers
from app.engine.types import (
    KV,
    Channel,
    ChatPrompt,
    FormatKind,
    Limits,
    OutputFormat,
    RawPrompt,
    Reason,
    ReasoningStats,
    ReplyPrefix,
    Request,
    Sampling,
    TokenPrompt,
)
from app.files import json_values
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Played, Player, executed
from tests.engine.tiers import mostly_slow

FOX = chat("Tell me about a fox.", reply_start="<think>\n")
MOST = 6
BRIEF = Request(FOX, GREEDY, Limits(40, think_budget=MOST))


def mark(player: Player, name: str = "think_end_tokens") -> int:
    (token,) = getattr(player.main.tokenizer, name)
    return int(token)


def eager(player: Player, bias: float = 60.0) -> Sampling:
    """The model starts to reason at once, and again."""
    return replace(GREEDY, logit_bias=((mark(player, "think_start_tokens"), bias),))


def thinking(played: Played) -> ReasoningStats:
    assert played.finish.thinking is not None
    return played.finish.thinking


@pytest.mark.parametrize(
    "sampling", mostly_slow([GREEDY, Sampling(1.2, 0.9, 30, 0.02, seed=3, repetition_penalty=1.3)], GREEDY)
)
def test_budget_ends_the_reasoning_with_its_tag(demo: Player, sampling: Sampling) -> None:
    endless = demo.play(replace(BRIEF, sampling=sampling, limits=Limits(40)))
    assert mark(demo) not in endless.ids[: MOST + 1] and endless.finish.thinking is None
    played = demo.play(replace(BRIEF, sampling=sampling))
    assert played.ids[: MOST + 1] == [*endless.ids[:MOST], mark(demo)]
    assert (thinking(played).put, thinking(played).budget) == ((MOST,), MOST)
    assert played.text_in(Channel.NORMAL)


def test_budget_feeds_the_forced_tokens(demo: Player) -> None:
    played = demo.play(BRIEF)
    start, ids = len(played.prompted.prompt.ids), (*played.prompted.prompt.ids, *played.ids[: MOST + 1])
    rest = demo.play(Request(TokenPrompt(ids, ReplyPrefix(start, reasoning=True)), GREEDY, Limits(40 - MOST - 1)))
    assert played.ids[MOST + 1 :] == rest.ids


@pytest.mark.slow
def test_budget_that_is_not_used_up_changes_nothing(demo: Player) -> None:
    for seed in range(4):
        free = replace(BRIEF, sampling=Sampling(1.0, seed=seed), limits=Limits(40))
        wide = demo.play(replace(free, limits=Limits(40, think_budget=1_000)))
        assert (wide.ids, wide.finish.thinking) == (demo.play(free).ids, None)


@pytest.mark.slow
def test_budget_answer_is_the_same_uncached_cached_and_batched(demo: Player) -> None:
    request = replace(BRIEF, sampling=Sampling(1.0, repetition_penalty=1.2, seed=4))
    first, again = demo.play(request), demo.play(request)
    bare = demo.play(replace(request, kv=KV(enabled=False)))
    assert again.finish.reused > 0
    assert again.ids == bare.ids == first.ids
    requests = [request, *(replace(request, sampling=Sampling(1.0, seed=seed)) for seed in range(2))]
    for row, alone in zip(demo.together(*requests), map(demo.play, requests), strict=True):
        assert (row.ids, thinking(row)) == (alone.ids, thinking(alone))


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [1, 4])
@pytest.mark.parametrize("most", [0, 1, MOST, 11])
def test_budget_with_a_draft_model_changes_no_token(demo_pair: Player, draft_tokens: int, most: int) -> None:
    plain = replace(BRIEF, limits=Limits(40, think_budget=most), observe=5)
    alone, drafted = demo_pair.play(plain), demo_pair.play(replace(plain, draft_tokens=draft_tokens))
    assert (drafted.ids, drafted.finish.thinking) == (alone.ids, alone.finish.thinking)
    assert drafted.chosen_logprobs == pytest.approx(alone.chosen_logprobs, abs=1e-3)


def test_budget_reports_the_logprobs_of_replaced_tokens(demo: Player) -> None:
    """Forced tokens don't count as certain."""
    free, held = (demo.play(replace(BRIEF, observe=10, limits=each)) for each in (Limits(40), BRIEF.limits))
    wanted, put = free.logprobs[MOST], held.logprobs[MOST]
    assert (put.chosen.id, put.top[0].id) == (mark(demo), wanted.chosen.id)
    assert put.chosen.probability < put.top[0].probability
    trace = Trace()
    trace.begin_run()
    trace.extend(held.tokens)
    trace.mark_inserted(thinking(held).put)
    assert [trace.origin(index) for index in (MOST - 1, MOST, MOST + 1)] == [Origin.MODEL, Origin.BUDGET, Origin.MODEL]


def test_constraint_starts_after_the_forced_tag(demo: Player) -> None:
    played = demo.play(replace(BRIEF, form=OutputFormat().put(FormatKind.CHOICES, "yes\nno")))
    assert played.text_in(Channel.NORMAL) in ("yes", "no")
    assert played.finish.reason is Reason.FORM and thinking(played).put


def test_budget_ends_reasoning_that_starts_later_and_again(demo: Player) -> None:
    request = replace(BRIEF, prompt=replace(FOX, reply_start=""), sampling=eager(demo))
    played = demo.play(replace(request, limits=Limits(20, think_budget=0)))
    assert played.ids[:2] == [mark(demo, "think_start_tokens"), mark(demo)]
    assert thinking(played).again > 3


@pytest.mark.slow
def test_budget_reports_a_late_end_tag(demo: Player) -> None:
    found = thinking(demo.play(replace(BRIEF, form=OutputFormat().put(FormatKind.CHOICES, "so</think> yes"))))
    assert (found.late, found.again) == (1, 0)


@pytest.mark.slow
def test_budget_of_continuations_and_forks_counts_earlier_tokens(demo: Player) -> None:
    whole = demo.play(BRIEF)
    cut = demo.play(replace(BRIEF, limits=Limits(4, think_budget=MOST)))
    start, ids = len(cut.prompted.prompt.ids), (*cut.prompted.prompt.ids, *cut.ids)
    rest = demo.play(replace(BRIEF, prompt=TokenPrompt(ids, written=4), limits=Limits(36, think_budget=MOST)))
    assert (cut.ids + rest.ids, thinking(rest).put) == (whole.ids, (MOST - 4,))
    fork = replace(BRIEF, prompt=TokenPrompt(ids[:-1], ReplyPrefix(start, reasoning=True, text=" oh")))
    forked = demo.play(fork)
    assert thinking(forked).put == (MOST - len(forked.prompted.prompt.begun),)
    for request, played in ((BRIEF, whole), (fork, forked)):
        assert demo.play(replay_request(request, played.prompted.prompt)).ids == played.ids


@pytest.mark.slow
def test_budget_leaves_stop_strings_and_raw_pages_alone(demo: Player) -> None:
    end = demo.play(BRIEF).text_in(Channel.NORMAL).strip()[:6]
    stopped = demo.play(replace(BRIEF, limits=Limits(40, (end,), think_budget=MOST)))
    assert stopped.finish.reason is Reason.STOP_STRING
    page = replace(BRIEF, prompt=RawPrompt("<think>\nA fox"))
    assert demo.play(page).ids == demo.play(replace(page, limits=Limits(40))).ids


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [0, 2])
@pytest.mark.parametrize("prompt", [FOX, replace(FOX, reply_start="")])
@pytest.mark.parametrize("kv", [KV(), KV(enabled=False)])
def test_script_applies_the_budget(demo_pair: Player, draft_tokens: int, prompt: ChatPrompt, kv: KV) -> None:
    sampling, limits = eager(demo_pair, bias=25.0), Limits(20, think_budget=3)
    request = Request(prompt, sampling, limits, kv, draft_tokens=draft_tokens if kv.enabled else 0)
    played = demo_pair.play(request)
    assert thinking(played).put
    assert executed(request, played.prompted.prompt, demo_pair.model)["ids"] == played.ids


def test_budget_on_a_model_without_tags_says_why(player: Player) -> None:
    assert not player.model.can.think_budget
    assert "reasoning tags" in player.model.can.refusal("think_budget")
    request = Request(RawPrompt("A fox"), GREEDY, Limits(5, think_budget=0))
    assert player.play(request).ids == player.play(replace(request, limits=Limits(5))).ids


def test_budget_forces_a_tag_of_several_tokens(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag that the model has started is completed."""
    main = demo.main
    ids = tuple(main.tokenizer.encode("</stop>", add_special_tokens=False))
    assert len(ids) > 2
    monkeypatch.setattr(main, "markers", Markers.reasoning("<think>", "</stop>"))
    monkeypatch.setattr(main.tokenizer, "_think_end_tokens", ids)
    played = demo.play(BRIEF)
    assert tuple(played.ids[MOST : MOST + len(ids)]) == ids
    assert thinking(played).put == tuple(range(MOST, MOST + len(ids)))
    assert "stop" not in played.shown
    begun = (*played.prompted.prompt.ids, *played.ids[: MOST + 1])
    rest = demo.play(replace(BRIEF, prompt=TokenPrompt(begun, written=MOST + 1), limits=Limits(8, think_budget=MOST)))
    assert tuple(rest.ids[: len(ids) - 1]) == ids[1:]


def test_request_without_budget_serializes_without_it() -> None:
    assert "think_budget" not in json_values.dumps(Limits, Limits())
    kept = json_values.dumps(Limits, Limits(think_budget=0))
    assert json_values.loads(Limits, kept).think_budget == 0
