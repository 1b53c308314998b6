"""What the playground tells of an experiment, into its window: how far it is, the runs as they end, the answer."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.meter.frame import Frame
from app.engine.types import Loading, Model
from app.experiments.cautions import cautions, why_nothing
from app.experiments.export import Report, as_json, as_markdown, concluded, runs_csv
from app.experiments.figures import table
from app.experiments.types import WARM_UP, Batch, Experiment, ExperimentStep, Outcome, Plan, Result
from app.i18n import tr
from app.number_format import speed
from app.records.word_diff import word_diff
from app.state import Phase, State
from app.ui.experiments.cells import Titles
from app.ui.experiments.view import ExperimentView
from app.ui.widgets import file_saving

KINDS = {".md": tr("Report to read"), ".json": tr("Everything"), ".csv": tr("A line for each run")}
SHOWN_EVERY_MS = 400
"""Tables and curves take time that the model could have: they come after a run, and no more often than this."""
REST = 20
"""So many times as long as showing has taken nothing is shown."""
TOLD_EVERY_S = 0.25
STEPS = 1000


class ExperimentResultsController(QObject):
    """Remembers the experiment that goes on, or the last one."""

    changed = Signal()
    """Something begins or is over."""
    measured = Signal(object)
    """What the device's Memory holds while a run goes on."""
    progressed = Signal(str, int, int)
    """In words, and how many runs of how many are done."""
    loading = Signal(str, object)
    """What is opened for the next run, and the Loading."""

    def __init__(self, playground: Playground, view: ExperimentView, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self.report: Report | None = None
        """What the last experiment found."""
        self._playground = playground
        self._view = view
        self._tasks = tasks
        self._begun: Experiment | None = None
        self._of: Experiment | None = None
        self._so_far: Outcome | None = None
        self._step: ExperimentStep | None = None
        self._told_at = 0.0
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY_MS)
        self._later.timeout.connect(self.show_so_far)
        self._listen()

    @property
    def going_on(self) -> bool:
        return self._begun is not None

    def begin(self, experiment: Experiment, plan: Plan, model: Model, titles: Titles | None) -> bool:
        """Have it conducted, unless something else goes on."""
        self._begun = self._of = experiment
        if not self._view.begin(partial(self._playground.experiment, plan)):
            self._begun = None
            return False
        self._so_far, self.report, self._step = Outcome(plan, model), None, None
        self._view.foot.say("")
        self._view.results.clear(titles)
        self.changed.emit()
        return True

    def clear(self) -> None:
        """Another question: what the last one found is in the journal."""
        self._so_far = self.report = None
        self._view.results.clear(None)

    def close(self) -> None:
        """The window goes."""
        self._later.stop()

    @Slot()
    def show_so_far(self) -> None:
        """Nothing is drawn for nobody."""
        so_far = self._so_far
        if so_far is not None and self._of is not None and so_far.results and self._view.isVisible():
            started = time.perf_counter()
            self._view.results.show_outcome(so_far, table(so_far, self._of.columns))
            took_ms = 1000 * (time.perf_counter() - started)
            self._later.setInterval(max(SHOWN_EVERY_MS, round(took_ms * REST)))

    def _listen(self) -> None:
        told = self._playground.experimenting
        told.stepped.connect(self._on_stepped)
        told.advanced.connect(self._on_advanced)
        told.taken.connect(self._on_taken)
        told.ended.connect(self._on_ended)
        self._playground.changed.connect(self._on_changed)
        self._view.results.pair_picked.connect(self._compare)
        self._view.export_wanted.connect(self._ask_export)

    @Slot(object)
    def _on_stepped(self, step: ExperimentStep) -> None:
        self._step, self._told_at = step, 0.0
        self._tell(step, None)

    @Slot(object)
    def _on_advanced(self, frame: Frame) -> None:
        if frame.memory is not None:
            self.measured.emit(frame.memory)
        if self._step is not None and frame.at - self._told_at >= TOLD_EVERY_S:
            self._told_at = frame.at
            self._tell(self._step, frame)

    def _tell(self, step: ExperimentStep, frame: Frame | None) -> None:
        """Beside the conversation too: that is where it is seen that the model is busy."""
        if self._playground.state.phase is not Phase.STOPPING:
            words = going(step, frame)
            self.progressed.emit(tr("Experiment: {words}").format(words=words), step.number - 1, step.total)
            self._view.show_going(words, step.number - 1, step.total)

    @Slot(object)
    def _on_taken(self, taken: Result | Batch) -> None:
        so_far = self._so_far
        if so_far is None:
            return
        if isinstance(taken, Result):
            self._so_far = replace(so_far, results=(*so_far.results, taken))
        else:
            self._so_far = replace(so_far, batches=(*so_far.batches, taken))
        if not self._later.isActive():
            self._later.start()

    @Slot(object)
    def _on_ended(self, outcome: Outcome) -> None:
        experiment, self._begun, self._step = self._begun, None, None
        self._later.stop()
        if experiment is None:
            return
        self._so_far = outcome
        self._view.show_going(None)
        if (failure := why_nothing(outcome)) is not None:
            self._view.foot.show_failure(failure)
        else:
            self._tasks.start(self._show_report(experiment, outcome), "report")
        self.changed.emit()

    async def _show_report(self, experiment: Experiment, outcome: Outcome) -> None:
        """Worked out on a thread, when nothing is measured any more."""
        journal = self._playground.book.journal
        folder = journal.folder if journal is not None else None
        made = await self._tasks.in_thread(concluded, experiment, outcome, folder)
        if made.outcome is self._so_far:
            self.report = made
            self._view.results.show_outcome(made.outcome, made.table)
            self._view.results.show_conclusion(made.conclusion, " ".join(cautions(made.outcome)), made.outcome)
            self.changed.emit()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.STOPPING:
            if self.going_on:
                self._view.show_going(self._view.STOPPING)
        elif self.going_on and new.loading is not old.loading and new.loading is not None:
            self.loading.emit(tr("the model of the next run"), new.loading)
            self._view.show_going(*_opening(new.loading))

    @Slot()
    def _ask_export(self) -> None:
        if self.report is not None:
            title = self.report.outcome.plan.title
            file_saving.ask(self._view, tr("Export the Experiment"), title, KINDS, partial(self._export, self.report))

    def _export(self, made: Report, path: Path) -> None:
        texts = {".md": partial(as_markdown, made), ".json": partial(as_json, made), ".csv": partial(runs_csv, made)}
        self._tasks.start(self._save(path, texts))

    async def _save(self, path: Path, texts: file_saving.Texts) -> None:
        self._view.foot.show_failure(await self._tasks.kept(partial(file_saving.save, path, texts)))

    @Slot(str, str)
    def _compare(self, first: str, second: str) -> None:
        self._tasks.start(self._show_diff(first, second), "diff")

    async def _show_diff(self, first: str, second: str) -> None:
        self._view.results.show_diff((first, second), await self._tasks.in_thread(word_diff, first, second))


def _opening(loading: Loading) -> tuple[str, int, int]:
    """A bar counts no further than 2^31."""
    share = STEPS * loading.done // loading.total if loading.total else 0
    return tr("Opening the model of the next run"), share, STEPS if loading.total else 0


def going(step: ExperimentStep, frame: Frame | None = None) -> str:
    """Run 5 of 12 · without the cache · round 2."""
    parts = [tr("Run {number} of {total}").format(number=step.number, total=step.total), step.name]
    parts.append(tr("warming up") if step.round == WARM_UP else tr("round {number}").format(number=step.round))
    if frame is not None and frame.figures.tokens:
        figures = tr("%n tokens, {speed} tok/s", "%n token, {speed} tok/s", frame.figures.tokens)
        parts.append(figures.format(speed=speed(frame.figures.speed_now)))
    return " · ".join(parts)
