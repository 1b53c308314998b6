import sys
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bridge import traces
from app.controls import Controls
from app.engine.meter.trace import TextRange, Trace
from app.engine.types import Limits
from tests.bridge.playing import QUICK, Player, keeping

SHORT = Controls(limits=Limits(12), seed=0, observe=3)


def ask(player: Player) -> None:
    player.playground.set_controls(SHORT)
    player.send()


def last_trace(player: Player) -> Trace:
    trace = player.playground.traces.of(player.state.turns[-1].id)
    assert trace is not None
    return trace


def test_trace_of_an_answer_has_all_its_runs(player: Player) -> None:
    ask(player)
    trace = last_trace(player)
    assert len(trace) == 12
    assert player.playground.continue_run()
    player.last()
    answer = player.state.turns[-1]
    assert len(trace) == 24
    assert trace.run(12) == (1, 0)
    whole = "".join(answer.text[seen.start : seen.end] for position in range(24) if (seen := trace.seen(position)))
    assert whole == answer.text


def test_trace_is_read_from_the_journal(journaled: Player, qtbot: QtBot) -> None:
    ask(journaled)
    written, answer = last_trace(journaled), journaled.state.turns[-1]
    journaled.playground.traces.forget()
    assert journaled.playground.traces.of(answer.id) is None
    with qtbot.waitSignal(journaled.playground.traces.changed) as told:
        journaled.playground.traces.want(answer)
    assert told.args == [answer.id]
    read = last_trace(journaled)
    assert len(read) == len(written)
    assert [read.seen(position) for position in range(12)] == [written.seen(position) for position in range(12)]
    assert read.seen(0) == TextRange(False, 0, len(read.token(0).text))
    assert [read.token(position).observed for position in range(12)] == [
        written.token(position).observed for position in range(12)
    ]


def test_traces_above_the_limit_are_dropped_and_read_again(
    journaled: Player, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traces, "KEPT_ANSWERS", 3)
    journaled.playground.set_controls(Controls(limits=Limits(1), seed=0))
    for _ in range(5):
        journaled.send()
    answers = journaled.state.turns[1::2]
    of = journaled.playground.traces.of
    assert [of(answer.id) is not None for answer in answers] == [False, False, True, True, True]
    with qtbot.waitSignal(journaled.playground.traces.changed):
        journaled.playground.traces.want(answers[0])
    assert [of(answer.id) is not None for answer in answers] == [True, False, False, True, True]


def test_trace_has_rejected_drafts_and_keeps_them(qtbot: QtBot, tmp_path: Path) -> None:
    knobs = replace(QUICK, draft_every=3, draft_misses=1)
    with keeping(qtbot, tmp_path, knobs) as player:
        player.playground.set_controls(replace(SHORT, draft_tokens=4))
        player.send()
        told = [last_trace(player).rejected(position) for position in range(12)]
        assert [position for position in range(12) if told[position]] == [2, 5, 8, 11]
        player.playground.traces.forget()
        with qtbot.waitSignal(player.playground.traces.changed):
            player.playground.traces.want(player.state.turns[-1])
        assert [last_trace(player).rejected(position) for position in range(12)] == told


def test_trace_that_could_not_be_read_is_read_again(
    journaled: Player, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: object) -> None:
        raise OSError("the disk is away")

    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    journaled.send()
    turn, traces = journaled.state.turns[-1], journaled.playground.traces
    traces.forget()
    with monkeypatch.context() as away:
        away.setattr(journaled.playground.book, "trace", fail)
        traces.want(turn)
        journaled.until(lambda: journaled.state.failure is not None)
    with qtbot.waitSignal(traces.changed):
        traces.want(turn)
    assert traces.of(turn.id) is not None


def test_trace_keeps_the_logprobs_of_a_replay(journaled: Player, qtbot: QtBot) -> None:
    ask(journaled)
    traces, book, answer = journaled.playground.traces, journaled.playground.book, journaled.state.turns[-1]
    seen = last_trace(journaled).logprobs_at(1)
    assert seen is not None and seen != last_trace(journaled).logprobs_at(0)
    assert book.journal is not None and book.journal.flush()
    traces.store_logprobs(answer, 0, [seen])
    journaled.until(lambda: not book.tasks.count)
    traces.forget()
    with qtbot.waitSignal(traces.changed):
        traces.want(answer)
    assert last_trace(journaled).logprobs_at(0) == seen
