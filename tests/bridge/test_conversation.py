from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.bridge import conversation
from app.bridge.conversation import (
    Turns,
    branches_after,
    branches_restored,
    link_turns,
    path_through,
    reachable,
    without_turns,
)
from app.bridge.forks import ForkStart, TokenReplacement, fork_answer, inspection_ids
from app.controls import Controls, Mode
from app.engine.types import (
    Adapter,
    Capabilities,
    ExactPrompt,
    Failure,
    FormatKind,
    LoadRequest,
    Model,
    OutputFormat,
    RawPrompt,
    Reason,
    Role,
    Sampling,
    TokenPrompt,
)
from app.records.types import FilesRef
from app.state import ConversationSnapshot, Phase, Run, Turn
from tests.bridge.playing import Player
from tests.ui.conversation.runs import run

MODEL = Model("demo", Path("demo"), "llama", 1, 4, 100, 64, ())
RAW = replace(run(), mode=Mode.RAW)
OF_BEFORE = (Turn(Role.USER, "Once "), Turn(Role.ASSISTANT, "upon a time", reasoning="(think) "))
"""As earlier versions stored it: reasoning apart."""


def test_prompt_of_raw_mode_is_the_page() -> None:
    page = conversation.page_of(OF_BEFORE)
    assert page == "Once (think) upon a time"
    assert conversation.prompt_of(OF_BEFORE, Controls(mode=Mode.RAW), MODEL) == RawPrompt(page)


def test_raw_page_of_an_earlier_version_continues_as_text() -> None:
    for mode, raw in ((Mode.RAW, True), (Mode.RAW, False), (Mode.CHAT, False)):
        prompt = ExactPrompt("Once ", (1, 2), ((0, 4), (4, 5)), (), raw=raw)
        begun = replace(RAW, mode=mode, prompt=prompt, ids=(3,))
        onwards = TokenPrompt((1, 2, 3), raw=mode is Mode.RAW)
        assert conversation.continuation_of(begun) == onwards
        assert conversation.continuation_of(begun, counted=True) == replace(onwards, written=1)
        answer = Turn(Role.ASSISTANT, "upon", runs=(begun,))
        forked = fork_answer(answer, [begun], 0, TokenReplacement(ids=(4,)), MODEL, None)
        assert isinstance(forked, ForkStart) and forked.prompt.raw is onwards.raw


def test_raw_page_of_a_server_continues_with_all_its_text() -> None:
    prompt = ExactPrompt("Once ", (), (), (), raw=True)
    ended = replace(RAW.finish, reason=Reason.LENGTH)
    before = replace(RAW, prompt=prompt, finish=ended, text="upon", reasoning="(think) ")
    assert conversation.can_continue(before)
    assert conversation.continuation_of(before) == RawPrompt("Once (think) upon")


def test_continuation_counts_the_written_tokens_of_an_output_format() -> None:
    prompt = ExactPrompt("Once ", (1, 2), ((0, 4), (4, 5)), ())
    asked = replace(RAW.request, prompt=TokenPrompt((1, 2), written=1), form=OutputFormat().put(FormatKind.REGEX, "a+"))
    again = replace(RAW, mode=Mode.CHAT, request=asked, prompt=prompt, ids=(3, 4))
    assert conversation.continuation_of(again, counted=True) == TokenPrompt((1, 2, 3, 4), written=3)
    assert conversation.replay_request(asked, prompt).prompt == TokenPrompt((1, 2), written=1)
    forked = replace(prompt, begun=("x", "y"))
    assert conversation.replay_request(asked, forked).prompt == TokenPrompt((1, 2), written=2)


def test_request_has_an_output_format_only_if_the_model_supports_it() -> None:
    controls = Controls(form=OutputFormat(FormatKind.REGEX, regex="a+", choices="b"))
    able = replace(MODEL, can=Capabilities(form=True))
    assert conversation.request_for(RawPrompt(""), controls, 0, able).form == OutputFormat().put(FormatKind.REGEX, "a+")
    assert not conversation.request_for(RawPrompt(""), controls, 0, MODEL).form


FOX, OWL = (replace(MODEL, adapter=Adapter(name, Path("/adapters", name), 8, 20.0)) for name in ("fox", "owl"))
BARE = run()
ADAPTED = replace(BARE, adapter=FilesRef("fox", "/adapters/fox", digest="f0f"))
FOX_FIRST = "This run used the adapter fox: open demo with it first."


@pytest.mark.parametrize("model", [MODEL, FOX, OWL])
def test_mismatch_reason_names_a_missing_adapter_only_for_runs_that_used_it(model: Model) -> None:
    assert conversation.mismatch_reason(BARE, model, {}) == ""
    assert conversation.mismatch_reason(ADAPTED, model, {}) == ("" if model is FOX else FOX_FIRST)
    assert conversation.foreign_reason(ADAPTED, model) == "", "its tokens are the same"


def test_mismatch_reason_compares_adapters_by_content() -> None:
    """The folder may have been moved or trained again; its content may be unknown."""
    moved = replace(FOX, adapter=Adapter("fox", Path("/elsewhere/fox"), 8, 20.0))
    for model in (moved, FOX):
        assert model.adapter is not None
        folder = model.adapter.folder
        for digest, said in (("f0f", ""), ("0ff", FOX_FIRST)):
            known = {folder: FilesRef("fox", str(folder), digest=digest)}
            assert conversation.mismatch_reason(ADAPTED, model, known) == said
            read = inspection_ids([replace(ADAPTED, is_partial=False)], 0, model, known)
            assert isinstance(read, Failure) == bool(said)
        unread = {folder: FilesRef("fox", str(folder))}
        assert conversation.mismatch_reason(ADAPTED, model, unread) == ("" if model is FOX else FOX_FIRST)


def test_mismatch_reason_names_another_model_first_also_for_partial_runs() -> None:
    other = replace(FOX, name="other")
    brief = replace(BARE, is_partial=True, prompt=None, ids=())
    for of_demo in (BARE, ADAPTED, brief):
        assert conversation.mismatch_reason(of_demo, other, {}).startswith(
            "This answer was generated by demo, but other is open"
        )


def test_replay_request_of_a_run_without_adapter_sets_strength_0() -> None:
    prompt = ExactPrompt("Hello", (1, 2), ((0, 2), (2, 5)), ())
    asked = replace(BARE.request, sampling=Sampling(adapter_strength=0.5))
    assert conversation.replay_request(asked, prompt).sampling.adapter_strength == 0.0
    assert conversation.replay_request(asked, prompt, adapter=ADAPTED.adapter).sampling.adapter_strength == 0.5


def test_inspection_needs_the_adapter_of_the_run_and_a_fork_does_not() -> None:
    def strength_of(of: Run) -> float | None:
        read = inspection_ids([of], 0, FOX, {})
        return None if isinstance(read, Failure) else read.run.request.sampling.adapter_strength

    assert (strength_of(BARE), strength_of(ADAPTED)) == (0.0, 1.0)
    refused = inspection_ids([ADAPTED], 0, OWL, {})
    assert isinstance(refused, Failure) and refused.sentence == FOX_FIRST
    answer = Turn(Role.ASSISTANT, "An answer.", runs=(ADAPTED,))
    assert isinstance(fork_answer(answer, [ADAPTED], 0, TokenReplacement(ids=(4,)), OWL, None), ForkStart)


@pytest.fixture
def talked(journaled: Player) -> Player:
    """Three answers: without an adapter, with one, and with one at strength 0."""
    journaled.send("One")
    assert journaled.playground.load(LoadRequest("demo", adapter="/adapters/fox"))
    journaled.until_phase(Phase.READY)
    journaled.send("Two")
    controls = journaled.state.controls
    journaled.playground.set_controls(replace(controls, sampling=replace(controls.sampling, adapter_strength=0.0)))
    journaled.send("Three")
    return journaled


def test_run_read_back_has_its_adapter(talked: Player) -> None:
    fox = FilesRef("fox", "/adapters/fox")
    runs = [each.runs[0] for each in talked.state.turns[1::2]]
    assert [each.adapter for each in runs] == [None, fox, None]
    session, playground = talked.state.session, talked.playground
    playground.new_session()
    assert playground.open_session(session)
    talked.until(lambda: len(talked.state.turns) == 6)
    briefly = [each.runs[0] for each in talked.state.turns[1::2]]
    assert [each.is_partial for each in briefly] == [True, True, False]
    for read in (briefly, list(map(playground.load_full, briefly))):
        assert [each.adapter and replace(each.adapter, digest="") for each in read] == [None, fox, None]


def turn(number: int, parent: int = 0, after: int = 0) -> Turn:
    role = Role.USER if number < 10 else Role.ASSISTANT
    return Turn(role, f"turn {number}", id=number, parent=parent, next=after)


def ids(turns: Turns) -> list[int]:
    return [each.id for each in turns]


LINE = link_turns((turn(1), turn(10), turn(2), turn(20)), ())
"""Two pairs of prompt and answer."""


def test_link_turns_without_branches_gives_each_turn_itself_as_sibling() -> None:
    assert [each.parent for each in LINE] == [0, 1, 10, 2]
    assert [each.siblings for each in LINE] == [(1,), (10,), (2,), (20,)]


def test_branches_after_another_answer_keeps_the_old_one_with_its_followers() -> None:
    new = (LINE[0], turn(11))
    others = branches_after(LINE, new, ())
    assert [(each.id, each.parent, each.next) for each in others] == [(2, 10, 20), (10, 1, 2), (20, 2, 0)]
    seen = link_turns(new, others)
    assert seen[0] is LINE[0], "what did not change is the same turn"
    assert seen[1].siblings == (10, 11)
    back = path_through(seen, others, 10)
    assert back is not None and ids(back) == [1, 10, 2, 20]
    assert ids(branches_after(seen, back, others)) == [11]


def test_path_through_a_deep_turn_includes_its_last_followers() -> None:
    others = (turn(2, 10, 20), turn(10, 1, 2), turn(20, 2, 3), turn(3, 20), turn(21, 2))
    seen = link_turns((turn(1), turn(11)), others)
    for to, way in ((20, [1, 10, 2, 20, 3]), (21, [1, 10, 2, 21]), (3, [1, 10, 2, 20, 3]), (1, [1, 11])):
        found = path_through(seen, others, to)
        assert found is not None and ids(found) == way
    assert path_through(seen, others, 99) is None


def test_link_turns_makes_first_turns_siblings() -> None:
    new = (turn(3), turn(12))
    others = branches_after(LINE, new, ())
    assert link_turns(new, others)[0].siblings == (1, 3)
    back = path_through(link_turns(new, others), others, 1)
    assert back is not None and ids(back) == ids(LINE)


def test_without_turns_moves_children_of_a_deleted_pair_to_its_parent() -> None:
    others = (turn(3, 10), turn(11, 1), turn(30, 3), turn(4, 0))
    gone = LINE[:2]
    kept = without_turns(LINE, others, gone)
    assert [(each.id, each.parent) for each in kept] == [(3, 0), (4, 0), (30, 3)], "11 answered what was deleted"
    seen = link_turns(LINE[2:], kept)
    assert seen[0].siblings == (2, 3, 4)
    back = branches_restored(ConversationSnapshot(LINE, others), seen, kept)
    assert [(each.id, each.parent) for each in back] == [(3, 10), (4, 0), (11, 1), (30, 3)]


def test_branches_restored_keep_later_turns() -> None:
    new = link_turns((LINE[0], turn(11)), branches_after(LINE, (LINE[0],), ()))
    others = branches_restored(ConversationSnapshot(LINE, ()), new, branches_after(LINE, new, ()))
    assert ids(others) == [11]
    assert link_turns(LINE, others)[1].siblings == (10, 11)


def test_path_through_a_cycle_ends() -> None:
    assert reachable((turn(1),), (turn(2, 3), turn(3, 2), turn(10, 1))) == (turn(10, 1),)


WAYS = ("send", "regenerate", "switch", "delete", "back")
STEPS = st.lists(st.tuples(st.sampled_from(WAYS), st.integers(0, 30)), max_size=12)


def stepped(
    step: str, number: int, now: ConversationSnapshot, before: ConversationSnapshot, made: int
) -> ConversationSnapshot:
    """Do what the playground does, on ids given out in order."""
    turns, others = now.turns, now.others
    if step == "switch" and others:
        way = path_through(turns, others, others[number % len(others)].id)
        assert way is not None
        return ConversationSnapshot(way, branches_after(turns, way, others))
    if step == "delete" and turns:
        at = number % len(turns) // 2 * 2
        return ConversationSnapshot((*turns[:at], *turns[at + 2 :]), without_turns(turns, others, turns[at : at + 2]))
    if step == "back":
        return ConversationSnapshot(before.turns, branches_restored(before, turns, others))
    new = turns[: number % (len(turns) // 2) * 2 + 1] if step == "regenerate" and turns else turns
    new = new if len(new) % 2 else (*new, Turn(Role.USER, "Q", id=made))
    new = (*new, Turn(Role.ASSISTANT, "A", id=made + 1))
    return ConversationSnapshot(new, branches_after(turns, new, others))


@settings(max_examples=60)
@given(STEPS)
def test_branches_lose_only_deleted_turns(steps: list[tuple[str, int]]) -> None:
    now = before = ConversationSnapshot((), ())
    for made, (step, number) in enumerate(steps, start=1):
        found = stepped(step, number, now, before, 2 * made)
        before, now = now, ConversationSnapshot(link_turns(found.turns, found.others), found.others)
        assert ids(now.others) == ids(reachable(now.turns, now.others))
        there = [*ids(now.turns), *ids(now.others)]
        assert len(there) == len(set(there))
        assert step in ("delete", "back") or {*ids(before.turns), *ids(before.others)} <= set(there)
        assert link_turns(now.turns, now.others) == now.turns
