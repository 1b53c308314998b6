"""An experiment beside the conversation: ordered here, stopped like a run, told in the clock's helpings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

from app.bridge.runner import Runner
from app.bridge.session_store import SessionStore
from app.engine.meter.frame import Frame
from app.engine.protocol import StopFlag
from app.engine.types import Failure, LoadRequest, Model
from app.records.types import SessionId

if TYPE_CHECKING:
    from app.experiments.journal_entries import JournalRecorder
    from app.experiments.types import Batch, Outcome, Plan, Result


class ExperimentRunner(QObject):
    """One experiment at a time. The playground says when one may begin, and what comes after it."""

    stepped = Signal(object)
    """Step: this run begins now."""
    advanced = Signal(object)
    """Frame of the run that goes on."""
    taken = Signal(object)
    """Result or Batch: it has ended."""
    over = Signal(object)
    """For the playground: the LoadRequest of the model that was open before, if it is no longer; else None."""
    ended = Signal(object)
    """Outcome. The playground is ready, or opens the model from before."""

    def __init__(self, runner: Runner, book: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._book = book
        self._flag: StopFlag | None = None
        self._keeper: JournalRecorder | None = None
        self._session: SessionId = 0
        self._begun: tuple[Plan, Model] | None = None
        self._results: list[Result] = []
        self._batches: list[Batch] = []
        runner.event_arrived.connect(self._on_told)
        runner.worker.conducted.connect(self._on_conducted, Qt.ConnectionType.QueuedConnection)

    @property
    def session(self) -> SessionId:
        """Where the runs of the last experiment are written down; 0: nowhere yet."""
        return self._keeper.session if self._keeper is not None else self._session

    def begin(self, plan: Plan, model: Model) -> None:
        """Order it, with a flag of its own. Every measured run is recorded, in a session named after the experiment."""
        # The first paint need not wait for this import.
        from app.experiments.journal_entries import JournalRecorder

        journal = self._book.journal
        self._flag, self._begun = StopFlag(), (plan, model)
        self._results, self._batches = [], []
        self._keeper = JournalRecorder(journal, plan.title, self._book.models.known) if journal is not None else None
        self._runner.order(self._runner.worker.run_experiment, plan, self._keeper, self._flag)

    def ask(self) -> None:
        """Ask it to end; what has ended stays."""
        if self._flag is not None:
            self._flag.ask()

    def close(self) -> None:
        """The thread is gone: what it said last is told to nobody."""
        self._flag = None
        QCoreApplication.removePostedEvents(self)

    @Slot(object)
    def _on_told(self, note: object) -> None:
        if self._flag is None:
            return
        from app.experiments.types import Batch, ExperimentStep, Result

        if isinstance(note, ExperimentStep):
            self.stepped.emit(note)
        elif isinstance(note, Frame):
            self.advanced.emit(note)
        elif isinstance(note, Result):
            self._results.append(note)
            self.taken.emit(note)
        elif isinstance(note, Batch):
            self._batches.append(note)
            self.taken.emit(note)

    @Slot(object, object)
    def _on_conducted(self, outcome: Outcome | Failure, opened: Model | None) -> None:
        """What was told on the way comes first."""
        self._runner.emit_pending()
        begun, self._flag, self._begun = self._begun, None, None
        if begun is None:
            return
        from app.experiments.types import Outcome

        plan, before = begun
        if isinstance(outcome, Failure):
            runs, batches = tuple(self._results), tuple(self._batches)
            outcome = Outcome(plan, before, runs, batches=batches, failure=outcome)
        self._results, self._batches = [], []
        self._session, self._keeper = self.session, None
        self.over.emit(to_reopen(before, opened))
        self.ended.emit(outcome)
        self._runner.collector.collect_young()


def to_reopen(before: Model, opened: Model | None) -> LoadRequest | None:
    """It fitted before, so it is opened whatever is free at this moment."""
    if opened is not None and opened.opened_by == before.opened_by:
        return None
    return replace(before.opened_by, anyway=True)
