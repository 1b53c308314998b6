"""A study of a prompt set beside the conversation: paused or stopped, and told in the clock's helpings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.runner import Runner
from app.bridge.session_store import SessionStore
from app.engine.protocol import Engine, StopFlag
from app.engine.types import Model

if TYPE_CHECKING:
    from app.evaluation.evaluation_run import Note
    from app.evaluation.journal_entries import StudyKeeper
    from app.evaluation.types import Evaluation, Outcome, Vote


class EvaluationRunner(QObject):
    """One study at a time. The playground says when one may begin, and what comes after it."""

    begun = Signal(object)
    """Outcome: what the journal had of it, answers and votes."""
    answered = Signal(object)
    """Answer: it has ended."""
    progressed = Signal(object)
    """Progress, a few times a second."""
    ended = Signal(object)
    """Outcome, or Failure. The playground is ready, or opens the model from before."""

    def __init__(self, runner: Runner, book: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book, self._runner = book, runner
        self._pause: StopFlag | None = None
        self._keeper: StudyKeeper | None = None
        runner.event_arrived.connect(self._on_told)
        self.ended.connect(self._on_ended)

    def order(
        self, study: Evaluation, anew: bool
    ) -> Callable[[Engine, Model, StopFlag, Callable[[Note], None]], Outcome]:
        """What the engine's thread has to do; where the journal has some of it that is gone on from, unless `anew`."""
        self._pause = StopFlag()
        return partial(self._work, study, anew, self._pause)

    def pause(self) -> None:
        """It ends when the rows in hand are answered; the same study, ordered again, goes on behind them."""
        if self._pause is not None:
            self._pause.ask()

    def take_up(self, keeper: StudyKeeper) -> None:
        """An earlier study is the last one now: votes are kept with it."""
        self._keeper = keeper

    def vote(self, vote: Vote) -> None:
        """Keep what somebody said of two answers of the last study."""
        if self._keeper is not None:
            self._keeper.vote(vote)

    def _work(
        self,
        study: Evaluation,
        anew: bool,
        pause: StopFlag,
        engine: Engine,
        model: Model,
        stop: StopFlag,
        tell: Callable[[Note], None],
    ) -> Outcome:
        """On the engine's thread."""
        # The first paint need not wait for these imports.
        from app.evaluation.evaluation_run import run_evaluation
        from app.evaluation.journal_entries import StudyKeeper
        from app.evaluation.types import Outcome

        journal = self._book.journal
        self._keeper = keeper = StudyKeeper(journal, study, model, self._book.models.known, anew) if journal else None
        done = keeper.answers(stop) if keeper is not None else ()
        votes = keeper.votes() if keeper is not None else ()
        tell(Outcome(study, done, votes))
        outcome = run_evaluation(engine, study, model, stop, tell, keeper, done, pause)
        return replace(outcome, votes=keeper.votes()) if keeper is not None else outcome

    @Slot(object)
    def _on_told(self, note: object) -> None:
        if self._pause is None:
            return
        from app.evaluation.types import EvaluationAnswer, Outcome, Progress

        if isinstance(note, EvaluationAnswer):
            self.answered.emit(note)
        elif isinstance(note, Progress):
            self.progressed.emit(note)
            self._runner.collector.collect_young()
        elif isinstance(note, Outcome):
            self.begun.emit(note)

    @Slot(object)
    def _on_ended(self, outcome: object) -> None:
        self._pause = None
