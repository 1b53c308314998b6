"""A replay runs beside the conversation."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.engine.meter.meter import Frame
from app.engine.types import Failure, Reason, Request, TokenPrompt
from app.state import Phase, Run
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player, loaded


class Heard:
    """Records the signals of replays."""

    def __init__(self, player: Player) -> None:
        self.frames: list[Frame] = []
        self.runs: list[Run] = []
        player.playground.replay_advanced.connect(self.frames.append)
        player.playground.replayed.connect(self.runs.append)


def again(run: Run) -> Request:
    assert run.prompt is not None
    return replace(run.request, prompt=TokenPrompt(run.prompt.ids))


def test_replay_gives_the_same_run_and_leaves_the_conversation_alone(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        heard = Heard(player)
        first = player.send("Hello")
        turns, frames = player.state.turns, len(player.frames)
        assert player.playground.replay(again(first))
        player.until(lambda: bool(heard.runs))
        assert player.phases[-3:] == [Phase.PREFILLING, Phase.GENERATING, Phase.READY]
        assert (heard.runs[0].ids, heard.runs[0].text) == (first.ids, first.text)
        assert tuple(token.id for frame in heard.frames for token in frame.tokens) == first.ids
        assert player.state.turns is turns
        assert (len(player.runs), len(player.frames)) == (1, frames)
        player.send("And now?")
        assert len(player.state.turns) == 4


def test_replay_can_be_stopped(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        heard = Heard(player)
        request = Request(TokenPrompt((3, 4, 5)))
        assert player.playground.replay(request)
        assert not player.playground.replay(request), "one at a time"
        player.until_phase(Phase.GENERATING)
        assert player.playground.stop()
        player.until(lambda: bool(heard.runs))
        assert heard.runs[0].finish.reason is Reason.STOPPED


def test_replay_that_fails_has_the_failure_in_its_run_alone(qtbot: QtBot) -> None:
    failure = Failure("Memory ran out.", "Retry.")
    with loaded(qtbot, replace(QUICK, run_failure=failure)) as player:
        heard = Heard(player)
        player.playground.replay(Request(TokenPrompt((3, 4, 5))))
        player.until(lambda: bool(heard.runs))
        assert heard.runs[0].finish.failure == failure
        assert player.state.failure is None
