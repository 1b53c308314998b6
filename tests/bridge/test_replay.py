from dataclasses import replace

from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.jobs import Job, Result
from app.engine.meter.meter import Frame
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, Prefill, Reason, Request, TokenPrompt, TokenScores
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


def test_replay_gives_the_same_run_and_leaves_the_conversation_alone(player: Player) -> None:
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


IDS = tuple(range(20, 420))
SLOW = replace(QUICK, prefill_per_second=10.0)


class PassSignals:
    """Records the signals of passes."""

    def __init__(self, player: Player) -> None:
        self.outcomes: list[object] = []
        self.prefills: list[Prefill] = []
        player.playground.tokens_scored.connect(self.outcomes.append)
        player.playground.prefill_advanced.connect(self.prefills.append)


class Broken(EchoEngine):
    """Fails unexpectedly."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        raise RuntimeError("no weights")


def test_score_tokens_scores_each_token_and_keeps_the_conversation(player: Player) -> None:
    heard = PassSignals(player)
    first = player.send("Hello")
    turns = player.state.turns
    assert player.playground.score_tokens(IDS)
    assert player.state.is_scoring
    player.until(lambda: bool(heard.outcomes))
    (found,) = heard.outcomes
    assert isinstance(found, TokenScores)
    assert (found.ids, found.weights[0], len(found.weights)) == (IDS, None, len(IDS))
    assert [event.done for event in heard.prefills] == [*range(0, len(IDS), 64), len(IDS)]
    assert player.phases[-2:] == [Phase.PREFILLING, Phase.READY]
    assert (player.state.turns, player.state.is_scoring, len(player.runs)) == (turns, False, 1)
    again = player.send("And now?")
    assert again.finish.reused >= first.finish.new, "the cache is the conversation's"


def test_score_tokens_can_be_stopped(qtbot: QtBot) -> None:
    with loaded(qtbot, SLOW) as player:
        heard = PassSignals(player)
        assert player.playground.score_tokens(IDS)
        assert not player.playground.score_tokens(IDS), "one at a time"
        assert not player.playground.send("Hello")
        player.until(lambda: bool(heard.prefills))
        assert player.playground.stop()
        player.until(lambda: bool(heard.outcomes))
        assert isinstance(heard.outcomes[0], Cancellation)
        assert player.phases[-2:] == [Phase.STOPPING, Phase.READY]


def test_close_during_a_pass_does_not_wait_for_its_end(qtbot: QtBot) -> None:
    with loaded(qtbot, SLOW) as player:
        heard = PassSignals(player)
        assert player.playground.score_tokens(IDS)
        player.until(lambda: bool(heard.prefills))
    assert heard.outcomes == []


def test_score_tokens_that_fails_shows_the_failure(qtbot: QtBot) -> None:
    with loaded(qtbot, factory=lambda _collect: Broken(QUICK)) as player:
        heard = PassSignals(player)
        assert player.playground.score_tokens(IDS)
        player.until(lambda: bool(heard.outcomes))
        assert isinstance(heard.outcomes[0], Failure)
        assert (player.state.failure, player.state.phase) == (heard.outcomes[0], Phase.READY)
