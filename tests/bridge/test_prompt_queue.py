from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.controls import Controls
from app.engine.meter.meter import Frame
from app.engine.meter.speeds import Curve
from app.engine.types import Failure, Limits, Reason
from app.records.types import SessionId
from app.state import Phase, QueuedPrompt, Run
from tests.bridge.playing import ENDLESS_TEXT, Player, keeping, read_late

FEW = Controls(limits=Limits(5))


@pytest.fixture
def player(qtbot: QtBot, tmp_path: Path) -> Iterator[Player]:
    with keeping(qtbot, tmp_path, ENDLESS_TEXT) as player:
        yield player


def begin(player: Player, text: str = "Go") -> SessionId:
    """Start a run that ends only when it is stopped; return its session."""
    assert player.playground.send(text)
    player.until(lambda: len(player.text) > 20)
    return player.state.session


def open_session(player: Player, session: SessionId) -> None:
    assert player.playground.open_session(session)
    player.until(lambda: player.state.session == session and not player.state.opening)


def queue(player: Player, *texts: str) -> tuple[QueuedPrompt, ...]:
    for text in texts:
        assert player.playground.queue.add(text)
    return player.state.queue[-len(texts) :]


def stored(player: Player, session: SessionId) -> list[str]:
    journal = player.playground.book.journal
    assert journal is not None and journal.flush()
    return [turn.text for turn in journal.sessions.turns(session)]


def draft(player: Player, session: SessionId) -> str:
    journal = player.playground.book.journal
    assert journal is not None and journal.flush()
    found = journal.sessions.get(session)
    assert found is not None
    return found.draft


def stop(player: Player) -> Run:
    assert player.playground.stop()
    player.until_phase(Phase.READY)
    return player.runs[-1]


def test_run_continues_while_another_session_is_displayed_and_is_displayed_again(player: Player) -> None:
    resumed: list[tuple[Frame, Curve]] = []
    player.playground.resumed.connect(lambda frame, curve: resumed.append((frame, curve)))
    first = begin(player)
    assert player.playground.new_session()
    assert (player.state.turns, player.state.running_session, player.state.phase) == ((), first, Phase.GENERATING)
    assert not player.playground.shown.now.live
    at_leaving, frames = player.text, len(player.frames)
    away: list[Frame] = []
    player.playground.advanced_elsewhere.connect(away.append)
    player.until(lambda: len(away) > 3)
    assert len(player.frames) == frames, "nothing is written on the other page"
    open_session(player, first)
    ((frame, curve),) = resumed
    until_now = "".join(piece.text for piece in frame.shown)
    assert until_now.startswith(at_leaving) and len(until_now) > len(at_leaving)
    assert len(curve.arrivals) == frame.metrics.tokens and player.playground.shown.now.live
    run = stop(player)
    since = "".join(piece.text for frame in player.frames[frames:] for piece in frame.shown)
    assert until_now + since == run.text == player.state.turns[-1].text == stored(player, first)[-1]


@pytest.mark.parametrize("reads", ["after the run", "during the run"])
def test_run_that_ends_elsewhere_is_in_its_session(player: Player, monkeypatch: pytest.MonkeyPatch, reads: str) -> None:
    ended: list[Run] = []
    player.playground.finished_elsewhere.connect(ended.append)
    first = begin(player)
    assert player.playground.new_session()
    if reads == "during the run":  # what was read then has no end
        may_come = read_late(monkeypatch)
        assert player.playground.open_session(first)
    assert player.playground.stop()
    player.until(lambda: bool(ended))
    assert (player.state.phase, player.state.turns) == (Phase.READY, ())
    if reads == "during the run":
        may_come.set()
        player.until(lambda: player.state.session == first)
    else:
        open_session(player, first)
    assert player.state.elsewhere is None and player.state.running_session == 0
    assert player.state.turns[-1].text == ended[0].text == stored(player, first)[-1]
    assert player.state.last_run is not None and player.state.last_run.finish.reason is Reason.STOPPED


def test_failure_of_a_run_elsewhere_names_its_session(qtbot: QtBot, tmp_path: Path) -> None:
    options = replace(ENDLESS_TEXT, run_failure=Failure("The device is full.", "", kind="full"), fails_after=40)
    with keeping(qtbot, tmp_path, options) as player:
        begin(player, "A story")
        queue(player, "Next")
        assert player.playground.new_session()
        player.until_phase(Phase.READY)
        failure = player.state.failure
        assert failure is not None and failure.what.startswith("“A story") and "The device is full." in failure.what
        assert player.state.is_queue_held


def test_queue_sends_in_order_with_the_settings_of_queueing(player: Player) -> None:
    first = begin(player)
    player.playground.set_controls(FEW)
    queue(player, "One", "Two")
    assert player.playground.new_session()
    player.playground.set_controls(replace(FEW, limits=Limits(3)))
    queue(player, "Three")
    second = player.state.session
    assert second not in (0, first)
    player.playground.set_controls(replace(FEW, limits=Limits(100_000)))
    assert player.playground.stop()
    player.until_phase(Phase.READY)
    player.playground.queue.send_now()
    player.until(lambda: player.state.phase is Phase.READY and not player.state.queue)
    assert stored(player, first)[0::2] == ["Go", "One", "Two"] and stored(player, second)[0] == "Three"
    assert stored(player, first)[3].split() == ["word"] * 5 and stored(player, second)[1].split() == ["word"] * 3
    assert [turn.text for turn in player.state.turns] == stored(player, second)
    assert player.state.controls.limits.max_tokens == 100_000
    assert draft(player, first) == draft(player, second) == ""


def test_stop_holds_the_queue_until_it_is_sent(player: Player) -> None:
    session = begin(player)
    player.playground.set_controls(FEW)
    queue(player, "One")
    stop(player)
    QCoreApplication.processEvents()  # a timer of 0 ms starts the next prompt
    assert player.state.is_queue_held and [each.text for each in player.state.queue] == ["One"]
    player.playground.queue.send_now()
    player.last()
    assert not player.state.queue and stored(player, session)[2] == "One"


def test_queued_prompts_are_drafts_until_they_are_sent(player: Player) -> None:
    session = begin(player)
    player.playground.keep_draft("Typed")
    player.playground.keep_draft("")
    one, two = queue(player, "One", "Two")
    player.playground.keep_draft("Typed")
    assert draft(player, session) == "One\n\nTwo\n\nTyped"
    assert player.playground.queue.typed(session, draft(player, session)) == "Typed"
    assert player.playground.new_session()
    place = player.playground.queue.remove(one)
    assert draft(player, session) == "Two\n\nTyped"
    player.playground.queue.restore(one, place=place)
    assert player.state.queue == (one, two) and draft(player, session) == "One\n\nTwo\n\nTyped"


def test_forget_removes_the_prompts_of_the_session(player: Player) -> None:
    begin(player)
    assert player.playground.new_session()
    (prompt,) = queue(player, "Never sent")
    player.playground.forget(prompt.session)
    assert player.state.queue == ()
