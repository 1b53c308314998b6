from dataclasses import replace

import pytest

from app.bridge.displayed_run_tracker import RecordedRun
from app.controls import Controls
from app.engine.meter.meter import Frame
from app.engine.meter.trace import Origin, Trace
from app.engine.types import Channel, Limits, Request, Role, Token, TokenPrompt, VisibleText
from app.state import DisplayedRun, PlaybackSpeed, Run, Turn
from tests.bridge.playing import Player
from tests.ui.conversation.runs import run


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
def told(player: Player) -> Told:
    return Told(player)


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
    assert told.playground.edit(1, "Other words.")
    told.changes.clear()
    assert told.playground.edit(1, "Other words again.")
    ((old, new),) = told.changes
    assert old == new


TEN = Controls(limits=Limits(10), seed=0)


def traced(*pieces: tuple[str, Channel, bool]) -> Trace:
    """An answer of these tokens, all visible; True: of the draft model."""
    trace, written = Trace(), 0
    trace.begin_run(100.0)
    for index, (text, voice, drafted) in enumerate(pieces):
        trace.extend([Token(index, index, text, (), 100.5 + index / 10, drafted)])
        trace.show([VisibleText(voice, text, written)])
        written += len(text)
    return trace


def test_recorded_run_tokens_have_channel_time_and_origin() -> None:
    trace = traced(("Hm", Channel.REASONING, False), (".", Channel.REASONING, True), ("Yes", Channel.NORMAL, False))
    turn = Turn(Role.ASSISTANT, "Yes", "Hm.", id=7)
    recording = RecordedRun(turn, 0, run(), trace)
    tokens = [recording.token(index) for index in range(3)]
    assert [token.shown[0] for token in tokens] == [
        VisibleText(Channel.REASONING, "Hm"),
        VisibleText(Channel.REASONING, "."),
        VisibleText(Channel.NORMAL, "Yes"),
    ]
    assert [token.at for token in tokens] == pytest.approx([0.5, 0.6, 0.7])
    assert [token.from_draft for token in tokens] == [False, True, False]
    assert recording.before == ()


def test_recorded_run_of_a_continue_has_the_text_before_it() -> None:
    trace = traced(("One", Channel.NORMAL, False), (" two", Channel.NORMAL, False))
    trace.begin_run(200.0)
    trace.extend([Token(0, 9, " three", (), 200.1)])
    trace.show([VisibleText(Channel.NORMAL, " three", 0)])
    recording = RecordedRun(Turn(Role.ASSISTANT, "One two three", id=7), 1, run(), trace)
    assert recording.before == (VisibleText(Channel.NORMAL, "One two"),)
    assert recording.token(0).shown == (VisibleText(Channel.NORMAL, " three"),)
    assert list(recording.arrivals) == pytest.approx([0.1])


def test_recorded_run_leaves_out_inserted_tokens() -> None:
    trace = Trace()
    trace.begin_run(100.0)
    trace.extend([Token(0, 1, "No", (), 0.0)], Origin.USER)
    trace.extend([Token(1, 2, " way", (), 100.4)])
    trace.show([VisibleText(Channel.NORMAL, "No way", 0)])
    recording = RecordedRun(Turn(Role.ASSISTANT, "No way", id=7), 0, run(), trace)
    assert recording.before == (VisibleText(Channel.NORMAL, "No"),)
    assert list(recording.arrivals) == pytest.approx([0.4])
    assert recording.token(0).text == " way"


def written(player: Player) -> list[Frame]:
    frames: list[Frame] = []
    player.playground.playback.advanced.connect(frames.append)
    player.until(lambda: not player.playground.shown.now.slowed)
    return frames


def test_playback_frames_equal_those_of_the_run(player: Player) -> None:
    player.playground.set_controls(TEN)
    player.send()
    player.until(lambda: player.state.title.startswith("Hello: "))
    original, page = player.runs[-1], player.state
    assert player.playground.watch(PlaybackSpeed.OWN)
    frames = written(player)
    assert "".join(shown.text for frame in frames for shown in frame.shown) == original.text
    assert sum(len(frame.tokens) for frame in frames) == 10
    last = frames[-1].metrics
    assert last.tokens == 10
    assert last.first_token == pytest.approx(original.summary.figures.first_token)
    assert last.speed_mean == pytest.approx(original.summary.figures.speed_mean)
    assert player.state == page, "nothing of it is known to the conversation"
    assert len(player.runs) == 1


def test_playback_without_a_finished_run_is_refused(player: Player) -> None:
    assert not player.playground.watch(PlaybackSpeed.READING)
    player.playground.set_controls(TEN)
    player.send()
    assert player.playground.replay(replace(player.runs[-1].request))
    assert not player.playground.watch(PlaybackSpeed.READING), "a run is in progress"


def test_playback_ends_when_the_playground_closes(player: Player) -> None:
    player.playground.set_controls(TEN)
    player.send()
    assert player.playground.watch(PlaybackSpeed.VERY_SLOW)
    assert player.playground.shown.now.slowed == 100
