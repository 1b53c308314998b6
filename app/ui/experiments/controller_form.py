"""The window of experiments: the form is filled in, and what it asks for is begun."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.experiments.headless import command_of
from app.experiments.questions import EXPERIMENTS, named, sweep
from app.experiments.types import BaseConfig, Experiment, Plan
from app.i18n import tr
from app.records.journal import Journal
from app.records.types import JournalChange, RunId, RunRow
from app.state import Phase, Run, State
from app.ui.experiments.controller_models import ExperimentModelsController
from app.ui.experiments.controller_results import ExperimentResultsController
from app.ui.experiments.setup import Source, about, basis_of, first_setup, needed_rounds, offers, titles_of, varied
from app.ui.experiments.view import ExperimentView
from app.ui.look import Theme
from app.ui.widgets import bring_up

NO_MODEL = tr("Open a model first.")
BUSY = tr("Wait until the model is free.")


class ExperimentFormController(QObject):
    """One window, one experiment at a time."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        folders: ModelFolders,
        servers: Servers,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._playground = playground
        self._tasks = Tasks(self)
        self._view = ExperimentView(theme, offers(), window)
        self.feed = ExperimentResultsController(playground, self._view, self._tasks, self)
        self._models = ExperimentModelsController(bundled, folders, servers, self._tasks, self._view)
        self._experiment: Experiment = EXPERIMENTS[0]
        self._source: Source | None = None
        playground.changed.connect(self._on_changed)
        playground.book.journal_changed.connect(self._on_told)
        self.feed.changed.connect(self._enable)
        self._listen()
        self._choose(self._experiment, None)

    def open(self, name: str) -> None:
        """Show the window with this question, unless another one is being answered."""
        experiment = named(name)
        if experiment is not None:
            self._show(experiment, self._source if self._view.isVisible() else None, self._typed())

    def begin_from(self, rows: tuple[RunRow, ...], swept: bool) -> None:
        """From runs of the journal: the first one with its settings, and for a sweep what they differ in."""
        journal = self._playground.book.journal
        if journal is not None and rows:
            experiment = sweep.EXPERIMENT if swept else self._experiment
            self._tasks.start(self._begin_from(experiment, varied(rows), journal, rows[0].id), "basis")

    def try_last(self, name: str = "") -> None:
        """From the run that the page ends with; with this question, or the one that was asked last."""
        run = self._playground.state.last_run
        if run is not None:
            self._try(run, named(name) or self._experiment)

    def try_turn(self, index: int) -> None:
        """From the run that began an answer of the page."""
        turns = self._playground.state.turns
        if 0 <= index < len(turns) and turns[index].runs:
            self._try(turns[index].runs[0], self._experiment)

    def close(self) -> None:
        """The window goes."""
        self.feed.close()
        self._view.leave()
        self._tasks.close()

    def _try(self, run: Run, experiment: Experiment) -> None:
        run = self._playground.load_full(run)
        self._show(experiment, Source(run.request, run.model, run.prompt))

    async def _begin_from(
        self, experiment: Experiment, axes: tuple[tuple[str, str], ...], journal: Journal, number: RunId
    ) -> None:
        run = await self._tasks.in_thread(journal.runs.get, number)
        if run is not None:
            self._show(experiment, Source(run.request, run.model.name, run.prompt, axes))

    def _show(self, experiment: Experiment, source: Source | None, typed: str | None = None) -> None:
        asked = experiment is self._experiment and source is self._source  # what was typed for it stays
        if not self.feed.going_on and not asked:
            self._source = source
            self._choose(experiment, typed)
        self._on_opened()  # asked for again while it is there, it is not shown anew
        bring_up(self._view)

    def _listen(self) -> None:
        view = self._view
        view.opened.connect(self._on_opened)
        view.form.experiment_picked.connect(self._pick)
        view.form.edited.connect(self._forgive)
        view.foot.start_wanted.connect(self._start)
        view.foot.stop_wanted.connect(self._playground.stop)
        view.command_wanted.connect(self._copy_command)
        view.session_wanted.connect(lambda: self._playground.open_session(self._playground.experimenting.session))

    @Slot(str)
    def _pick(self, name: str) -> None:
        experiment = named(name)
        if experiment is not None and experiment is not self._experiment:
            self._choose(experiment, self._typed())

    def _typed(self) -> str | None:
        """A prompt that somebody wrote into the form; it stays whatever is asked."""
        words = self._view.form.setup().prompt
        return words if words != first_setup(self._experiment, self._source).prompt else None

    def _choose(self, experiment: Experiment, typed: str | None) -> None:
        if experiment is not self._experiment:
            self.feed.clear()
        self._experiment = experiment
        self._view.form.show_setup(first_setup(experiment, self._source, typed))
        self._forgive()
        self._enable()

    def _basis(self) -> BaseConfig | Failure:
        """What the form asks for, or why that can't be asked."""
        model = self._playground.state.model
        if model is None:
            return Failure(NO_MODEL, "", kind="no model")
        return basis_of(self._view.form.setup(), self._experiment, self._source, model)

    @Slot()
    def _start(self) -> None:
        basis = self._basis()
        plan = self._experiment.plan(basis) if isinstance(basis, BaseConfig) else basis
        if isinstance(plan, Plan) and isinstance(basis, BaseConfig):
            if not self.feed.begin(self._experiment, plan, basis.model, titles_of(self._experiment, basis)):
                self._view.foot.say(BUSY)
        elif isinstance(plan, Failure):
            self._view.foot.show_failure(plan)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._on_opened()
        if (new.phase, new.model) != (old.phase, old.model):
            self._enable()

    @Slot(object)
    def _on_told(self, change: JournalChange) -> None:
        if change is JournalChange.SESSIONS:
            self._enable()

    @Slot()
    def _enable(self) -> None:
        phase, model = self._playground.state.phase, self._playground.state.model
        ready = phase is Phase.READY
        if not self.feed.going_on:
            self._view.form.about.say(about(self._source, model))
        self._view.foot.allow(ready, phase is Phase.STOPPING, BUSY)
        recorded = ready and bool(self._playground.book.title(self._playground.experimenting.session))
        self._view.offer(self.feed.report is not None, recorded)

    @Slot()
    def _on_opened(self) -> None:
        if self._view.isVisible():
            self._models.look(self._playground.state.model, anew=not self.feed.going_on)
            self.feed.show_so_far()

    @Slot()
    def _forgive(self) -> None:
        """What was wrong may be right now, and what is varied may need more rounds."""
        self._view.foot.say("")
        self._view.form.show_needed(needed_rounds(self._experiment, self._view.form.setup().axes))

    @Slot()
    def _copy_command(self) -> None:
        basis = self._basis()
        if isinstance(basis, Failure):
            self._view.foot.show_failure(basis)
            return
        command = command_of(self._experiment, basis)
        QGuiApplication.clipboard().setText(command.line)
        self._view.foot.say(" ".join((tr("The command is on the clipboard."), *command.remarks)), "muted")
