"""An experiment goes on beside the conversation, is recorded, can be stopped, and leaves all as it was."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.meter.frame import Frame
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Failure, Finish, Limits, LoadRequest, Model, Request, Stopped
from app.experiments.types import ExperimentOutcome, ExperimentStep, Plan, RunResult, Variant
from app.records.journal import open_journal
from app.state import Phase
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player, loaded, playing
from tests.experiments.builders import REQUEST

LONG, SHORT = replace(REQUEST, limits=Limits(40)), replace(REQUEST, limits=Limits(4))
TWO = Plan("trial", "A trial", "What is it?", (Variant("long", LONG), Variant("short", SHORT)), 2)
OTHERS = Plan(
    "models",
    "Which of two?",
    "Which?",
    (Variant("first", SHORT, LoadRequest("demo")), Variant("second", SHORT, LoadRequest("second"))),
    1,
)


class Heard:
    """What a playground says of experiments."""

    def __init__(self, player: Player) -> None:
        self.notes: list[ExperimentStep | Frame | RunResult] = []
        self.outcomes: list[ExperimentOutcome] = []
        told = player.playground.experiment_runner
        told.stepped.connect(self.notes.append)
        told.advanced.connect(self.notes.append)
        told.taken.connect(self.notes.append)
        told.ended.connect(self.outcomes.append)

    @property
    def results(self) -> tuple[RunResult, ...]:
        return tuple(note for note in self.notes if isinstance(note, RunResult))


class Fragile(EchoEngine):
    """It opens one model, and breaks at the second."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        if request.model == "second":
            self.unload()
            raise SystemExit(1)
        return super().load(request, emit, stop)


class Slow(EchoEngine):
    """Its second run never ends by itself."""

    def __init__(self) -> None:
        super().__init__(replace(ENDLESS_TEXT, tokens_per_second=1000))
        self.runs = 0

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.runs += 1
        endless = replace(request, limits=Limits(100_000)) if self.runs == 4 else request
        return super().generate(endless, emit, stop)


def test_it_is_told_as_it_goes_on_and_the_conversation_stays(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        heard = Heard(player)
        player.send("Hello")
        before = player.state
        assert player.playground.experiment(TWO)
        assert player.state.experiment == "A trial" and player.state.is_background
        assert not player.playground.experiment(TWO) and not player.playground.send("Meanwhile")
        assert not player.playground.load(LoadRequest("another")) and not player.playground.new_session()
        player.until(lambda: bool(heard.outcomes))
        (outcome,) = heard.outcomes
        assert [(run.arm, run.round) for run in outcome.results] == [(0, 1), (1, 1), (1, 2), (0, 2)]
        assert heard.results == outcome.results
        steps = [note for note in heard.notes if isinstance(note, ExperimentStep)]
        assert [(step.arm, step.round) for step in steps] == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (0, 2)]
        assert any(isinstance(note, Frame) for note in heard.notes)
        assert player.phases[-2:] == [Phase.PREFILLING, Phase.READY]
        assert (player.state.turns, player.state.session) == (before.turns, before.session)
        assert player.state.experiment == "" and len(player.runs) == 1


def test_its_runs_are_the_answers_of_a_session_of_their_own(qtbot: QtBot, tmp_path: Path) -> None:
    with playing(qtbot, opener=partial(open_journal, tmp_path)) as player:
        with qtbot.waitSignal(player.playground.book.ready):
            player.load()
        heard = Heard(player)
        assert player.playground.experiment(TWO)
        player.until(lambda: bool(heard.outcomes))
        journal, session = player.playground.book.journal, player.playground.experiment_runner.session
        assert journal is not None and journal.flush()
        found = journal.sessions.get(session)
        assert found is not None and found.info.title == "Experiment: A trial"
        for run in heard.outcomes[0].results:
            assert run.run is not None
            record = journal.runs.get(run.run)
            assert record is not None and record.ids == run.ids
        assert player.state.session == 0


@pytest.mark.slow
def test_what_had_ended_when_it_was_stopped_stays(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Slow()) as player:
        player.load()
        heard = Heard(player)
        assert player.playground.experiment(TWO)
        player.until(lambda: len(heard.results) == 1)
        assert player.playground.stop()
        assert player.state.phase is Phase.STOPPING
        player.until(lambda: bool(heard.outcomes))
        (outcome,) = heard.outcomes
        assert outcome.stopped and [run.arm for run in outcome.results] == [0]
        player.until_phase(Phase.READY)
        assert player.send("Hello").finish.failure is None


def test_the_model_from_before_is_opened_again(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        heard = Heard(player)
        assert player.playground.experiment(OTHERS)
        player.until(lambda: bool(heard.outcomes))
        assert [run.model.folder.name for run in heard.outcomes[0].results] == ["demo", "second"]
        player.until_phase(Phase.READY)
        assert player.phases[-3:] == [Phase.PREFILLING, Phase.LOADING, Phase.READY], "never ready with another model"
        assert player.state.model is not None and player.state.model.folder == Path("demo")


def test_a_model_that_can_t_be_opened_costs_only_its_own_arm(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Fragile(QUICK)) as player:
        player.load()
        heard = Heard(player)
        assert player.playground.experiment(OTHERS)
        player.until(lambda: bool(heard.outcomes))
        (outcome,) = heard.outcomes
        assert outcome.failure is not None and "second" in outcome.failure.what
        assert [run.arm for run in outcome.results] == [0]
        player.until_phase(Phase.READY)
        assert player.send("Hello").finish.failure is None


def test_leaving_in_the_middle_waits_for_no_more_of_it(qtbot: QtBot) -> None:
    with playing(qtbot, factory=lambda _collect: Slow()) as player:
        player.load()
        heard = Heard(player)
        assert player.playground.experiment(TWO)
        player.until(lambda: bool(heard.results))
    assert heard.outcomes == []
