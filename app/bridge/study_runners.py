"""Runs experiments and evaluations: the work runs on the engine thread, the signals are emitted on the GUI thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.bridge.runner import Runner
from app.bridge.session_store import SessionStore
from app.engine.meter.meter import Frame
from app.engine.protocol import Engine, StopFlag
from app.engine.types import Failure, Model

if TYPE_CHECKING:
    from app.evaluation.journal_entries import StudyKeeper
    from app.evaluation.types import Evaluation, Vote
    from app.evaluation.types import EvaluationOutcome as EvaluationOutcome
    from app.experiments.journal_entries import JournalRecorder
    from app.experiments.types import ExperimentOutcome as ExperimentOutcome
    from app.experiments.types import Plan, RunResult, Variant
    from app.records.types import SessionId

    Conduct = Callable[
        [Engine, Model, StopFlag, Callable[[object], None]],
        ExperimentOutcome | EvaluationOutcome | RunResult | Failure,
    ]

# The imports in the functions below are not needed for the first paint.


class StudyRunner(QObject):
    """Runs one study at a time. The playground decides when one may begin."""

    ended = Signal(object)
    """Outcome; for an evaluation also Failure. The playground is ready, or reopens the previous model."""

    def __init__(self, runner: Runner, store: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._store = runner, store
        self._signals: dict[type, SignalInstance] = {}
        """The signal for each type of note; empty while no study runs."""
        self._joined: type | None = None
        """The type of note that is emitted in tuples, with what arrived together."""
        runner.events_arrived.connect(self._on_events)

    def finish(self, outcome: object) -> None:
        """Emit the end after the last note."""
        self._signals = {}
        self.ended.emit(outcome)
        self._runner.collector.collect_young()

    def _on_events(self, notes: list[object]) -> None:
        for kind, group in groupby(notes, type):
            if (signal := self._signals.get(kind)) is not None:
                for each in [tuple(group)] if kind is self._joined else group:
                    signal.emit(each)


class ExperimentRunner(StudyRunner):
    """Runs experiments. Each measured run is recorded in a session named after the experiment."""

    stepped = Signal(object)
    """ExperimentStep: a run begins."""
    advanced = Signal(object)
    """Frame of the current run."""
    taken = Signal(object)
    """Result or Batch: a run or batch has ended."""

    _failed: Callable[..., ExperimentOutcome]

    def __init__(self, runner: Runner, store: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(runner, store, parent)
        self._recorder: JournalRecorder | None = None
        self._recorded: dict[str, tuple[tuple[Variant, ...], JournalRecorder | None]] = {}
        """The variants and the recorder of the last run of each experiment."""

    @property
    def session(self) -> SessionId:
        """The session of the last experiment's runs; 0 before the first one."""
        return self._recorder.session if self._recorder is not None else 0

    def order(self, plan: Plan, model: Model) -> Conduct:
        from app.experiments.journal_entries import JournalRecorder
        from app.experiments.types import Batch, ExperimentOutcome, ExperimentStep, RunResult

        self._failed = partial(ExperimentOutcome, plan, model)

        journal = self._store.journal
        arms, self._recorder = self._recorded.get(plan.name, ((), None))
        is_continued = bool(plan.finished) and arms is plan.arms
        if not (is_continued and self._store.title(self.session)):
            known = self._store.models.known
            self._recorder = JournalRecorder(journal, plan.title, known) if journal is not None else None
        self._recorded[plan.name] = plan.arms, self._recorder
        self._signals = {ExperimentStep: self.stepped, Frame: self.advanced, RunResult: self.taken, Batch: self.taken}
        recorder = self._recorder

        def conduct(
            engine: Engine, model: Model, stop: StopFlag, tell: Callable[[object], None]
        ) -> ExperimentOutcome | Failure:
            from app.experiments.run import run_experiment

            return run_experiment(engine, plan, model, stop, tell, recorder)

        return conduct

    def finish(self, outcome: object) -> None:
        super().finish(self._failed(failure=outcome) if isinstance(outcome, Failure) else outcome)


class EvaluationRunner(StudyRunner):
    """Runs evaluations, which can be paused. Each answer is recorded with its position."""

    begun = Signal(object)
    """Outcome: the answers and votes in the session database."""
    answered = Signal(object)
    """A tuple of EvaluationAnswer"""
    progressed = Signal(object)
    """Progress, a few times a second."""

    def __init__(self, runner: Runner, store: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(runner, store, parent)
        self._pause = StopFlag()
        self._keeper: StudyKeeper | None = None
        self.progressed.connect(runner.collector.collect_young)

    def order(self, study: Evaluation, from_start: bool) -> Conduct:
        """Return the work for the engine's thread.

        Unless `from_start`, it continues from the answers in the session database.
        """
        from app.evaluation.types import EvaluationAnswer, EvaluationOutcome, Progress

        self._pause = StopFlag()
        self._joined = EvaluationAnswer
        self._signals = {EvaluationOutcome: self.begun, EvaluationAnswer: self.answered, Progress: self.progressed}
        return partial(self._conduct, study, from_start, self._pause)

    def pause(self) -> None:
        """Stop after the current rows; the same study continues there when it is started again."""
        self._pause.ask()

    def use_keeper(self, keeper: StudyKeeper) -> None:
        """Store later votes with an earlier study."""
        self._keeper = keeper

    def vote(self, vote: Vote) -> None:
        if self._keeper is not None:
            self._keeper.vote(vote)

    def _conduct(
        self,
        study: Evaluation,
        from_start: bool,
        pause: StopFlag,
        engine: Engine,
        model: Model,
        stop: StopFlag,
        tell: Callable[[object], None],
    ) -> EvaluationOutcome:
        from app.evaluation.evaluation_run import run_evaluation
        from app.evaluation.journal_entries import StudyKeeper
        from app.evaluation.types import EvaluationOutcome

        journal = self._store.journal
        self._keeper = keeper = (
            StudyKeeper(journal, study, model, self._store.models.known, from_start) if journal else None
        )
        done = keeper.answers(stop) if keeper is not None else ()
        votes = keeper.votes() if keeper is not None else ()
        tell(EvaluationOutcome(study, done, votes))
        outcome = run_evaluation(engine, study, model, stop, tell, keeper, done, pause)
        return replace(outcome, votes=keeper.votes()) if keeper is not None else outcome
