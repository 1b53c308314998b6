from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.meter.meter import Frame
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, Finish, Limits, LoadRequest, Model, Request
from app.evaluation.types import (
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    Preference,
    Progress,
    Vote,
)
from app.experiments.run import remaining_plan
from app.experiments.types import ExperimentOutcome, ExperimentStep, Plan, RunResult, Variant
from app.records.journal import open_journal
from app.state import Phase
from tests.bridge.playing import ENDLESS_TEXT, QUICK, Player, keeping, loaded
from tests.evaluation.sums import TELLING, Adding, study, sums
from tests.experiments.builders import REQUEST

SLOW = replace(TELLING, tokens_per_second=400)


class EvaluationSignals:
    """What a playground says of studies."""

    def __init__(self, player: Player) -> None:
        self.answers: list[EvaluationAnswer] = []
        self.progress: list[Progress] = []
        self.ended: list[EvaluationOutcome] = []
        runner = player.playground.evaluation_runner
        runner.answered.connect(self.answers.extend)
        runner.progressed.connect(self.progress.append)
        runner.ended.connect(self.ended.append)


def conducted(
    player: Player, heard: EvaluationSignals, asked: Evaluation, from_start: bool = False
) -> EvaluationOutcome:
    count = len(heard.ended)
    assert player.playground.study(asked, from_start)
    player.until(lambda: len(heard.ended) > count and player.state.phase is Phase.READY)
    return heard.ended[-1]


def test_evaluation_emits_answers_and_leaves_the_conversation_alone(qtbot: QtBot) -> None:
    engine = Adding()
    with loaded(qtbot, factory=lambda collect: engine) as player:
        heard = EvaluationSignals(player)
        turns = player.state.turns
        made = conducted(player, heard, study(sums(40)))
        assert sorted(heard.answers, key=lambda each: each.key.row) == list(made.answers)
        assert len(made.answers) == 40 and heard.progress[-1].done == 40
        assert len(heard.progress) < 10, "a few a second"
        assert player.phases[-2:] == [Phase.PREFILLING, Phase.READY]
        assert (player.state.turns, player.state.experiment, player.frames) == (turns, "", [])
        player.send("Hello")


def test_evaluation_paused_or_stopped_continues_there_with_its_votes(qtbot: QtBot, tmp_path: Path) -> None:
    engine = Adding(knobs=SLOW)
    with loaded(qtbot, factory=lambda collect: engine, opener=partial(open_journal, tmp_path)) as player:
        heard = EvaluationSignals(player)
        asked, runner = study(sums(30), together=10), player.playground.evaluation_runner
        runner.answered.connect(runner.pause)
        half = conducted(player, heard, asked)
        runner.answered.disconnect(runner.pause)
        assert half.stopped and len(half.answers) in (10, 20), "whole batches"
        there = len(heard.answers)
        link = runner.answered.connect(lambda each: len(heard.answers) > 2 * there and player.playground.stop())
        conducted(player, heard, asked)
        runner.answered.disconnect(link)
        made = conducted(player, heard, asked)
        assert not made.stopped and len(made.answers) == 30
        assert len(engine.asked) <= 30 + 10, "what was there is not asked again"
        vote = Vote(0, 0, 3, Preference.LEFT, True)
        runner.vote(vote)
        assert conducted(player, heard, asked).votes == (vote,)
        before = len(engine.asked)
        assert conducted(player, heard, asked, from_start=True).votes == () and len(engine.asked) == before + 30


LONG, SHORT = replace(REQUEST, limits=Limits(40)), replace(REQUEST, limits=Limits(4))
TWO = Plan("trial", "A trial", "What is it?", (Variant("long", LONG), Variant("short", SHORT)), 2)
OTHERS = Plan(
    "models",
    "Which of two?",
    "Which?",
    (Variant("first", SHORT, LoadRequest("demo")), Variant("second", SHORT, LoadRequest("second"))),
    1,
)


class ExperimentSignals:
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

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if request.model == "second":
            self.unload()
            raise SystemExit(1)
        return super().load(request, emit, stop)


class Slow(EchoEngine):
    """Its fourth run never ends by itself: the second one that is measured."""

    def __init__(self) -> None:
        super().__init__(replace(ENDLESS_TEXT, tokens_per_second=1000))
        self.runs = 0

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        self.runs += 1
        endless = replace(request, limits=Limits(100_000)) if self.runs == 4 else request
        return super().generate(endless, emit, stop)


def test_experiment_emits_its_progress_and_leaves_the_conversation_alone(player: Player) -> None:
    heard = ExperimentSignals(player)
    player.send("Hello")
    before = player.state
    assert player.playground.experiment(TWO)
    assert player.state.experiment == "A trial" and player.state.is_background
    assert not player.playground.experiment(TWO) and not player.playground.send("Meanwhile")
    assert not player.playground.load(LoadRequest("another"))
    player.until(lambda: bool(heard.outcomes))
    (outcome,) = heard.outcomes
    assert [(run.arm, run.round) for run in outcome.results] == [(0, 1), (1, 1), (1, 2), (0, 2)]
    assert heard.results == outcome.results
    assert {type(note) for note in heard.notes} == {ExperimentStep, Frame, RunResult}
    steps = [(note.arm, note.round) for note in heard.notes if isinstance(note, ExperimentStep)]
    assert steps == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (0, 2)]
    assert player.phases[-2:] == [Phase.PREFILLING, Phase.READY]
    assert (player.state.turns, player.state.session) == (before.turns, before.session)
    assert player.state.experiment == "" and len(player.runs) == 1


def test_experiment_records_its_runs_in_a_session_of_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    with keeping(qtbot, tmp_path) as player:
        heard = ExperimentSignals(player)
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
        more = remaining_plan(heard.outcomes[0], 3)
        sessions = []
        for plan in (more, replace(TWO, arms=(*TWO.arms[:1], *TWO.arms[1:])), more):
            heard.outcomes.clear()
            assert player.playground.experiment(plan)
            player.until(lambda: bool(heard.outcomes))
            sessions.append(player.playground.experiment_runner.session)
        assert sessions[0] == session and len({*sessions}) == 3, "not in the session of another experiment"


@pytest.mark.slow
def test_experiment_stopped_keeps_its_results(qtbot: QtBot) -> None:
    engine = Slow()
    with loaded(qtbot, factory=lambda _collect: engine) as player:
        heard = ExperimentSignals(player)
        assert player.playground.experiment(TWO)
        player.until(lambda: engine.runs == 4)  # stopped before, the run that is sent below would be the endless one
        assert player.playground.stop()
        assert player.state.phase is Phase.STOPPING
        player.until(lambda: bool(heard.outcomes))
        (outcome,) = heard.outcomes
        assert outcome.stopped and [run.arm for run in outcome.results] == [0]
        player.until_phase(Phase.READY)
        assert player.send("Hello").finish.failure is None


def test_experiment_with_other_models_reopens_the_first_one(player: Player) -> None:
    heard = ExperimentSignals(player)
    assert player.playground.experiment(OTHERS)
    player.until(lambda: bool(heard.outcomes))
    assert [run.model.folder.name for run in heard.outcomes[0].results] == ["demo", "second"]
    player.until_phase(Phase.READY)
    assert player.phases[-3:] == [Phase.PREFILLING, Phase.LOADING, Phase.READY], "never ready with another model"
    assert player.state.model is not None and player.state.model.folder == Path("demo")


def test_experiment_with_an_unusable_model_keeps_the_other_variant(qtbot: QtBot) -> None:
    with loaded(qtbot, factory=lambda _collect: Fragile(QUICK)) as player:
        heard = ExperimentSignals(player)
        assert player.playground.experiment(OTHERS)
        player.until(lambda: bool(heard.outcomes))
        (outcome,) = heard.outcomes
        assert outcome.failure is not None and "second" in outcome.failure.what
        assert [run.arm for run in outcome.results] == [0]
        player.until_phase(Phase.READY)
        assert player.send("Hello").finish.failure is None
