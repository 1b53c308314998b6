"""Playback shows the recorded tokens, each with its channel, after the text before the run."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from app.bridge.playback import RecordedRun
from app.controls import Controls
from app.displayed_run import PlaybackSpeed
from app.engine.meter.frame import Frame
from app.engine.meter.trace import Origin, Trace
from app.engine.types import Channel, Limits, Role, Token, VisibleText
from app.state import Turn
from tests.bridge.playing import QUICK, Player, playing
from tests.ui.conversation.runs import run

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


def test_playback_frames_equal_those_of_the_run(qtbot: QtBot) -> None:
    with playing(qtbot) as player:
        player.load()
        player.playground.set_controls(TEN)
        player.send()
        player.until(lambda: player.state.title.startswith("Hello: "))
        original, page = player.runs[-1], player.state
        assert player.playground.watch(PlaybackSpeed.OWN)
        frames = written(player)
        assert "".join(shown.text for frame in frames for shown in frame.shown) == original.text
        assert sum(len(frame.tokens) for frame in frames) == 10
        last = frames[-1].figures
        assert last.tokens == 10
        assert last.first_token == pytest.approx(original.summary.figures.first_token)
        assert last.speed_mean == pytest.approx(original.summary.figures.speed_mean)
        assert player.state == page, "nothing of it is known to the conversation"
        assert len(player.runs) == 1


def test_playback_without_a_finished_run_is_refused(qtbot: QtBot) -> None:
    with playing(qtbot) as player:
        player.load()
        assert not player.playground.watch(PlaybackSpeed.READING)
        player.playground.set_controls(TEN)
        player.send()
        assert player.playground.replay(replace(player.runs[-1].request))
        assert not player.playground.watch(PlaybackSpeed.READING), "a run is in progress"


def test_playback_ends_when_the_playground_closes(qtbot: QtBot) -> None:
    with playing(qtbot, QUICK) as player:
        player.load()
        player.playground.set_controls(TEN)
        player.send()
        assert player.playground.watch(PlaybackSpeed.VERY_SLOW)
        assert player.playground.shown.now.slowed == 100
