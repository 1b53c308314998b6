from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.playground import Playground
from app.controls import Controls
from app.engine.echo.run import EchoOptions
from app.engine.meter.trace import Origin, Trace
from app.engine.types import Limits, Reason
from app.state import Phase, Run
from tests.bridge.playing import QUICK, Player, keeping

SAID = ("One two three four five six seven.", "Another answer.", "A third one.")
THINKS = replace(QUICK, replies=SAID, reasoning="Let me see.")
CONTROLS = Controls(limits=Limits(40), seed=0, observe=3)


@contextmanager
def observing(qtbot: QtBot, folder: Path, knobs: EchoOptions = QUICK) -> Iterator[Player]:
    with keeping(qtbot, folder, knobs) as player:
        player.playground.set_controls(CONTROLS)
        yield player


@pytest.fixture
def talked(qtbot: QtBot, tmp_path: Path) -> Iterator[Player]:
    """One prompt and its answer, with logprobs."""
    with observing(qtbot, tmp_path, THINKS) as player:
        player.send("Count")
        yield player


def trace(player: Player, index: int = -1) -> Trace:
    found = player.playground.traces.of(player.state.turns[index].id)
    assert found is not None
    return found


def forked(player: Player, position: int, ids: tuple[int, ...] | None = None, text: str | None = None) -> Run:
    assert player.playground.fork(1, position, ids, text)
    return player.last()


def seen(of: Trace) -> tuple[str, str]:
    """Return the marked text and reasoning of each token."""
    positions = [position for at in range(len(of)) if (position := of.seen(at)) is not None]
    return tuple(str(sorted((p.start, p.end) for p in positions if p.reasoning is voice)) for voice in (False, True))  # type: ignore[return-value]


def place_of(of: Trace, text: str) -> int:
    return next(position for position in range(len(of)) if of.token(position).text == text)


def test_fork_with_an_alternative_keeps_both_answers(talked: Player) -> None:
    first, answer = talked.runs[0], talked.state.turns[1]
    position = place_of(trace(talked), " three")
    other = trace(talked).logprobs_at(position)
    assert other is not None
    before = len(talked.frames)
    run = forked(talked, position, (other.top[1].id,))
    new = talked.state.turns[1]
    assert new.text == "One two three1 four five six seven."
    assert new.reasoning == answer.reasoning == THINKS.reasoning
    assert new.siblings == (answer.id, new.id)
    assert new.forked is not None
    assert (new.forked.turn, new.forked.place) == (answer.id, position)
    assert (new.forked.chosen, new.forked.instead) == (" three1", " three")
    assert run.prompt is not None and first.prompt is not None
    assert run.prompt.ids == (*first.prompt.ids, *first.ids[:position], other.top[1].id)
    assert run.finish.reused == len(first.prompt.ids) + position, "the cache is cut there, not filled anew"
    assert (run.request.sampling, run.seed) == (first.request.sampling, first.seed)
    assert "".join(shown.text for frame in talked.frames[before:] for shown in frame.shown).endswith("seven.")


def test_fork_trace_has_kept_inserted_and_generated_tokens(talked: Player) -> None:
    origin, position = trace(talked), place_of(trace(talked), " four")
    put = origin.logprobs_at(position)
    assert put is not None
    forked(talked, position, (put.top[2].id,))
    live = trace(talked)
    assert [live.token(at) for at in range(position)] == [origin.token(at) for at in range(position)]
    assert live.origin(position) is Origin.USER
    assert live.token(position).text == " four2"
    looked = live.logprobs_at(position)
    assert looked is not None
    assert (looked.chosen, looked.rank, looked.entropy) == (put.top[2], 3, put.entropy)
    assert live.run(position + 1) == (0, 1)
    answer = talked.state.turns[1]
    told = seen(live)
    talked.playground.traces.forget()
    with talked.qtbot.waitSignal(talked.playground.traces.changed):
        talked.playground.traces.want(answer)
    read = trace(talked)
    assert len(read) == len(live)
    assert seen(read) == told
    assert [read.origin(at) for at in range(len(read))] == [live.origin(at) for at in range(len(read))]
    assert read.token(2).at == pytest.approx(live.token(2).at)
    assert read.logprobs_at(position) == looked


def test_fork_in_the_reasoning_continues_it(talked: Player) -> None:
    position = place_of(trace(talked), " me")
    forked(talked, position, text=" us all")
    answer = talked.state.turns[1]
    assert answer.reasoning.startswith("Let us all")
    assert "Let us all" not in answer.text
    again = place_of(trace(talked), "</think>")
    forked(talked, again, text=" Hm.")
    answer = talked.state.turns[1]
    assert answer.reasoning.startswith("Let us all") and " Hm." in answer.reasoning


def test_fork_counts_kept_reasoning_separately(talked: Player) -> None:
    whole = talked.runs[0].summary.figures
    run = forked(talked, place_of(trace(talked), " two"), text=" 2")
    metrics = run.summary.figures
    assert (metrics.reasoning, metrics.reasoning_before) == (0, whole.reasoning)
    assert metrics.thought == whole.thought == whole.reasoning > 0
    run = forked(talked, place_of(trace(talked), " me"), text=" us")
    assert run.summary.figures.reasoning_before == 2
    assert run.summary.figures.reasoning > 0


def test_fork_of_a_fork_can_be_continued(talked: Player) -> None:
    talked.playground.set_controls(replace(CONTROLS, limits=Limits(2)))
    run = forked(talked, place_of(trace(talked), " two"), text=" 2")
    assert run.finish.reason is Reason.LENGTH
    assert talked.playground.continue_run()
    talked.last()
    middle = talked.state.turns[1]
    talked.playground.set_controls(CONTROLS)
    assert middle.text == "One 2 three four five six"[: len(middle.text)]
    position = len(trace(talked)) - 1
    last, before = trace(talked).token(position), [trace(talked).token(at).text for at in range(position)]
    second = forked(talked, position, text=" and then")
    answer = talked.state.turns[1]
    assert answer.text.startswith(middle.text.removesuffix(last.text) + " and then")
    assert len(answer.siblings) == 3
    assert second.finish.reused > 0
    assert [trace(talked).token(at).text for at in range(position)] == before
    talked.playground.traces.forget()
    with talked.qtbot.waitSignal(talked.playground.traces.changed):
        talked.playground.traces.want(answer)
    assert trace(talked).origin(place_of(trace(talked), " 2")) is Origin.USER


def test_fork_at_the_eos_token_continues_the_answer(talked: Player) -> None:
    whole, tokens = talked.state.turns[1].text, trace(talked)
    end = len(tokens) - 1
    assert talked.runs[0].finish.reason is Reason.STOP
    forked(talked, end, text=" And more.")
    assert talked.state.turns[1].text.startswith(whole + " And more.")


def test_switch_shows_a_branch_with_its_followers(talked: Player) -> None:
    playground = talked.playground
    talked.send("And then?")
    long = [turn.text for turn in talked.state.turns]
    old = talked.state.turns[1].id
    forked(talked, 4, text=" 1")
    assert len(talked.state.turns) == 2
    new = talked.state.turns[1].id
    assert playground.switch(old)
    assert [turn.text for turn in talked.state.turns] == long
    assert talked.state.turns[1].siblings == (old, new)
    assert playground.switch(new)
    assert not playground.switch(new)
    assert len(talked.state.turns) == 2
    assert playground.undo(), "the fork is taken back"
    assert [turn.text for turn in talked.state.turns] == long
    assert talked.state.turns[1].siblings == (old, new), "and is a branch still"


def test_siblings_come_from_each_new_answer_and_not_from_deleted_ones(talked: Player) -> None:
    playground = talked.playground
    assert playground.regenerate()
    talked.last()
    assert len(talked.state.turns[1].siblings) == 2
    assert playground.edit(0, "Count again")
    talked.last()
    assert len(talked.state.turns[0].siblings) == 2
    assert len(talked.state.turns[1].siblings) == 1
    assert playground.edit(0, "Count again"), "resent as it stands, it is the same question"
    talked.last()
    assert [len(turn.siblings) for turn in talked.state.turns] == [2, 2]
    assert playground.delete(0)
    assert talked.state.turns == ()
    assert [turn.role for turn in talked.state.others] == ["user", "assistant", "assistant"]
    assert playground.undo()
    assert [len(turn.siblings) for turn in talked.state.turns] == [2, 2]


def test_session_read_back_has_its_branches_without_deleted_ones(qtbot: QtBot, tmp_path: Path) -> None:
    with observing(qtbot, tmp_path, THINKS) as player:
        player.send("Count")
        forked(player, 7, text=" x")
        player.playground.regenerate()
        player.last()
        assert player.playground.delete(1)
        assert player.playground.switch(player.state.others[1].id)
        session, kept = player.state.session, player.state
    with observing(qtbot, tmp_path, THINKS) as player:
        assert player.playground.open_session(session)
        player.until(lambda: player.state.session == session)
        state = player.state
        assert [turn.text for turn in state.turns] == [turn.text for turn in kept.turns]
        assert [turn.siblings for turn in state.turns] == [turn.siblings for turn in kept.turns]
        assert [turn.text for turn in state.others] == [turn.text for turn in kept.others]
        assert state.turns[1].forked == kept.turns[1].forked
        assert player.playground.switch(state.turns[1].siblings[0])
        assert player.state.last_run is not None and not player.state.last_run.is_partial
        assert player.playground.switch(state.turns[1].id)
        assert player.playground.fork(1, 7, text=" y"), "a run that was read back can be forked"
        player.last()
        assert player.state.turns[1].text.startswith("One y")
        assert len(player.state.turns[1].siblings) == 3


def refused(playground: Playground, **asked: object) -> str:
    assert not playground.fork(1, **asked)  # type: ignore[arg-type]
    return playground.state.failure.what if playground.state.failure else ""


def test_fork_that_is_impossible_fails_with_a_sentence(talked: Player) -> None:
    playground, answer = talked.playground, talked.state.turns[1]
    assert talked.state.model is not None
    end = talked.state.model.eos[0][0]
    assert "EOS token" in refused(playground, position=3, ids=(end,))
    assert "No replacement" in refused(playground, position=3)
    assert "no such token" in refused(playground, position=3000, text="x")
    assert "no such token" in refused(playground, position=-1, text="x")
    assert not playground.fork(0, 1, text="x"), "a question has no tokens"
    assert playground.edit(1, "My own words")
    assert "This answer has no recorded run" in refused(playground, position=0, text="x")
    run = replace(answer.runs[0], model="another", on=None)
    playground._change(turns=(talked.state.turns[0], replace(answer, runs=(run,))))
    assert "another, but echo is open" in refused(playground, position=0, text="x")
    assert talked.state.phase is Phase.READY
