"""The displayed run after each change, and its curve."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.engine.types import Request, TokenPrompt
from app.state import DisplayedRun, Run
from tests.bridge.playing import Player, loaded


class Told:
    """Records the displayed runs; `player` makes the changes."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.playground = player.playground
        self.changes: list[tuple[DisplayedRun, DisplayedRun]] = []
        self.playground.shown.changed.connect(lambda old, new: self.changes.append((old, new)))

    @property
    def now(self) -> DisplayedRun:
        return self.playground.shown.now

    def replay(self, run: Run) -> Run:
        done: list[Run] = []
        self.playground.replayed.connect(done.append)
        assert run.prompt is not None and self.playground.replay(Request(TokenPrompt(run.prompt.ids)))
        self.player.until(lambda: bool(done))
        return done[0]


@pytest.fixture
def told(qtbot: QtBot) -> Iterator[Told]:
    with loaded(qtbot) as player:
        yield Told(player)


def test_tracker_emits_at_the_start_and_end_of_a_run(told: Told) -> None:
    first = told.player.send()
    (_, begun), (before, over) = told.changes
    assert begun.live and before == begun
    assert (over.run, over.key, over.live) == (first, begun.key, False)


def test_tracker_shows_a_picked_run_until_the_page_changes(told: Told) -> None:
    first, second = told.player.send(), told.player.send("And?")
    turn = told.player.state.turns[1].id
    told.playground.shown.pick(turn, 0)
    assert (told.now.run, told.now.earlier) == (first, True)
    told.playground.shown.pick(turn, 1)
    told.playground.shown.pick(99, 0)
    assert told.now.run == first, "what isn't there can't be picked"
    third = told.player.send("Again")
    assert told.now.run == third
    told.playground.shown.pick(turn, 0)
    assert told.playground.delete(5)
    assert told.now == DisplayedRun(length=told.now.length)
    assert told.playground.delete(4)
    assert told.now.run == second


def test_tracker_during_a_run_picks_nothing(told: Told) -> None:
    first = told.player.send()
    turn = told.player.state.turns[1].id
    assert told.playground.send("And?")
    told.playground.shown.pick(turn, 0)
    assert told.now.live
    assert told.player.last() == told.now.run
    beside: list[bool] = []
    told.playground.replay_advanced.connect(lambda frame: told.playground.shown.pick(turn, 0))
    told.playground.replay_advanced.connect(lambda frame: beside.append(told.now.replay))
    told.replay(first)
    assert beside and all(beside)


def test_tracker_shows_a_replay_until_another_run(told: Told) -> None:
    first = told.player.send()
    again = told.replay(first)
    assert (told.now.run, told.now.replay, told.now.turn) == (again, True, 0)
    live = [new for _, new in told.changes if new.live]
    assert [each.replay for each in live] == [False, True]
    told.playground.shown.pick(told.player.state.turns[1].id, 0)
    assert told.now.run == first
    told.replay(first)
    told.playground.new_session()
    assert told.now == DisplayedRun(length=told.now.length)


def test_tracker_drops_the_curve_of_another_run(told: Told) -> None:
    told.player.send()
    points: list[object] = []
    told.playground.shown.read_curve(points.append)
    told.player.until(lambda: bool(points))
    assert points[0]
    late: list[object] = []
    told.playground.shown.read_curve(lambda found: late.append("the first one's"))
    told.playground.new_session()
    told.player.send("Another")
    told.playground.shown.read_curve(late.append)
    told.player.until(lambda: bool(late))
    assert "the first one's" not in late


def test_tracker_emits_for_a_changed_page_with_the_same_run(told: Told) -> None:
    told.player.send()
    told.player.send("And?")
    told.changes.clear()
    assert told.playground.edit(1, "Other words.")
    ((old, new),) = told.changes
    assert old == new
