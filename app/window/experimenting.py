"""The window of experiments: what is asked there is measured, and what was measured is shown there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.aside import Aside
from app.bridge.playground import Playground
from app.bridge.state import Phase, State
from app.engine.frame import Frame
from app.engine.types import Failure
from app.experiments.export import Report, as_json, as_markdown, report, runs_csv
from app.experiments.figures import table
from app.experiments.headless import command_of
from app.experiments.questions import EXPERIMENTS, named, sweep
from app.experiments.types import Basis, Batch, Experiment, Outcome, Plan, Result, Step
from app.records.types import RunRecord, RunRow
from app.records.word_diff import word_diff
from app.widgets.experiment import ExperimentView, Going, Titles
from app.widgets.theme import Theme
from app.window import saving
from app.window.experiment_models import ExperimentModels
from app.window.experiment_setup import Source, about, basis_of, first_setup, offers, titles_of, varied
from app.window.experiment_words import caution, going, sentence, why_nothing
from app.window.layout import Layout
from app.window.places import Places

KINDS = {".md": "Report to read", ".json": "Everything", ".csv": "A line for each run"}
SHOWN_EVERY_MS = 400
"""Tables and curves take time that the model could have: they come after a run, and no more often than this."""
TOLD_EVERY_S = 0.25
NO_MODEL = "Open a model first."
BUSY = "Wait until the model is free."


class Experiments(QObject):
    """One window, one experiment at a time."""

    def __init__(self, playground: Playground, parts: Layout, theme: Theme, places: Places, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._theme = theme
        self._places = places
        self._window = parent
        self._aside = Aside("experiments", self)
        self._view: ExperimentView | None = None
        self._models: ExperimentModels | None = None
        self._experiment: Experiment = EXPERIMENTS[0]
        self._source: Source | None = None
        self._begun: Experiment | None = None
        self._so_far: Outcome | None = None
        self._report: Report | None = None
        self._step: Step | None = None
        self._told_at = 0.0
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SHOWN_EVERY_MS)
        self._later.timeout.connect(self._show_so_far)
        self.intents: dict[str, Intent] = {f"experiment_{each.name}": _Opener(self, each).open for each in EXPERIMENTS}
        parts.ending.trying_wanted.connect(self._try_last)
        playground.changed.connect(self._on_changed)
        told = playground.experimenting
        told.stepped.connect(self._on_stepped)
        told.advanced.connect(self._on_advanced)
        told.taken.connect(self._on_taken)
        told.ended.connect(self._on_ended)

    def open(self, experiment: Experiment, source: Source | None = None) -> None:
        """Show the window with this question, unless another one is being answered."""
        view = self._view or self._make()
        if self._begun is None:
            typed = None if source is not None else self._typed()
            self._source = source or (self._source if view.isVisible() else None)
            self._choose(experiment, typed)
        view.show()
        view.raise_()
        view.activateWindow()

    @Slot(object, bool)
    def begin_from(self, rows: tuple[RunRow, ...], swept: bool) -> None:
        """From runs of the journal: the first one with its settings, and for a sweep what they differ in."""
        journal = self._playground.book.journal
        if journal is not None and rows:
            experiment = sweep.EXPERIMENT if swept else self._experiment
            self._aside.do(partial(journal.runs.get, rows[0].id), partial(self._begin_from, experiment, varied(rows)))

    def close(self) -> None:
        """The window goes."""
        self._later.stop()
        if self._view is not None:
            self._view.leave()
        self._aside.close()

    def _begin_from(self, experiment: Experiment, axes: tuple[tuple[str, str], ...], run: RunRecord | None) -> None:
        if run is not None:
            self.open(experiment, Source(run.request, run.model.name, run.prompt, axes))

    @Slot()
    def _try_last(self) -> None:
        run = self._playground.state.last_run
        if run is not None:
            run = self._playground.whole(run)
            self.open(self._experiment, Source(run.request, run.model, run.prompt))

    def _make(self) -> ExperimentView:
        view = self._view = ExperimentView(self._theme, offers(), self._window)
        self._models = ExperimentModels(self._places, self._aside, view)
        view.opened.connect(self._on_opened)
        view.experiment_picked.connect(self._pick)
        view.edited.connect(self._forgive)
        view.start_wanted.connect(self._start)
        view.stop_wanted.connect(self._playground.stop)
        view.export_wanted.connect(self._ask_export)
        view.command_wanted.connect(self._copy_command)
        view.session_wanted.connect(self._open_session)
        view.pair_picked.connect(self._compare)
        self._choose(self._experiment, None)
        return view

    @Slot(str)
    def _pick(self, name: str) -> None:
        experiment = named(name)
        if experiment is not None:
            self._choose(experiment, self._typed())

    def _typed(self) -> str | None:
        """A prompt that somebody wrote into the form; it stays whatever is asked."""
        if self._view is None:
            return None
        words = self._view.setup().prompt
        return words if words != first_setup(self._experiment, self._source).prompt else None

    def _choose(self, experiment: Experiment, typed: str | None) -> None:
        if self._view is None:
            return
        changed = experiment is not self._experiment
        self._experiment = experiment
        self._view.show_setup(
            first_setup(experiment, self._source, typed), about(self._source, self._playground.state.model)
        )
        self._view.say("")
        if changed:
            self._report = self._so_far = None
            self._view.clear_results(None)
        self._enable(self._playground.state)

    def _basis(self) -> Basis | str:
        """What the form asks for, or why that can't be asked."""
        model = self._playground.state.model
        if model is None or self._view is None:
            return NO_MODEL
        basis = basis_of(self._view.setup(), self._experiment, self._source, model)
        return sentence(basis) if isinstance(basis, Failure) else basis

    @Slot()
    def _start(self) -> None:
        if self._view is None:
            return
        basis = self._basis()
        plan = basis if isinstance(basis, str) else self._experiment.plan(basis)
        if isinstance(plan, Failure):
            plan = sentence(plan)
        if isinstance(plan, Plan) and isinstance(basis, Basis):
            self._begin(plan, titles_of(self._experiment, basis), basis)
        else:
            self._view.say(str(plan))

    def _begin(self, plan: Plan, titles: Titles | None, basis: Basis) -> None:
        assert self._view is not None
        self._begun = self._experiment
        if not self._playground.experiment(plan):
            self._begun = None
            self._view.say(BUSY)
            return
        self._so_far, self._report, self._step = Outcome(plan, basis.model), None, None
        self._view.say("")
        self._view.clear_results(titles)
        self._view.show_going(Going("Starting…", 0, 0))
        self._enable(self._playground.state)

    @Slot(object)
    def _on_stepped(self, step: Step) -> None:
        self._step, self._told_at = step, 0.0
        self._tell(step, None)

    @Slot(object)
    def _on_advanced(self, frame: Frame) -> None:
        if frame.memory is not None:
            self._parts.memory.show_memory(frame.memory)
        if self._step is not None and frame.at - self._told_at >= TOLD_EVERY_S:
            self._told_at = frame.at
            self._tell(self._step, frame)

    def _tell(self, step: Step, frame: Frame | None) -> None:
        if self._playground.state.phase is Phase.STOPPING:
            return
        words = going(step, frame)
        self._parts.progress.show_experiment(f"Experiment: {words}", step.number - 1, step.total)
        if self._view is not None:
            self._view.show_going(Going(words, step.number - 1, step.total))

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

    @Slot()
    def _show_so_far(self) -> None:
        """Nothing is drawn for nobody."""
        if self._so_far is not None and self._view is not None and self._view.isVisible() and self._so_far.results:
            self._view.show_outcome(self._so_far, table(self._so_far, self._experiment.columns))

    @Slot(object)
    def _on_ended(self, outcome: Outcome) -> None:
        experiment, self._begun, self._step = self._begun, None, None
        self._later.stop()
        if self._view is None or experiment is None:
            return
        self._so_far = outcome
        self._view.show_going(None)
        self._enable(self._playground.state)
        if (why := why_nothing(outcome)) != "":
            self._view.say(why)
        else:
            self._aside.do(partial(report, experiment, outcome), self._show_report)

    def _show_report(self, made: Report) -> None:
        """Worked out aside, when nothing is measured any more."""
        if self._view is not None and made.outcome is self._so_far:
            self._report = made
            self._view.show_outcome(made.outcome, made.table)
            self._view.show_conclusion(made.conclusion, caution(made.outcome), made.outcome)
            self._enable(self._playground.state)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.experiment and new.loading is not old.loading and new.phase is not Phase.STOPPING:
            self._parts.progress.show_loading("the model of the next run", new.loading)
        if new.phase is Phase.STOPPING and self._begun is not None and self._view is not None:
            self._view.show_going(Going("Stopping…", 0, 0))
        if new.model is not old.model:
            self._on_opened()
        if (new.phase, new.model) != (old.phase, old.model):
            self._enable(new)

    def _enable(self, state: State) -> None:
        if self._view is None:
            return
        going_on = self._begun is not None
        ready = state.phase is Phase.READY
        self._view.allow(state.phase is not Phase.STOPPING if going_on else ready, "" if ready or going_on else BUSY)
        self._view.offer(self._report is not None, bool(self._playground.experimenting.session) and ready)

    @Slot()
    def _on_opened(self) -> None:
        if self._view is not None and self._models is not None and self._view.isVisible():
            self._models.look(self._playground.state.model, ())
            self._show_so_far()

    @Slot()
    def _forgive(self) -> None:
        """What was wrong may be right now."""
        if self._view is not None:
            self._view.say("")

    @Slot()
    def _copy_command(self) -> None:
        if self._view is None:
            return
        basis = self._basis()
        if isinstance(basis, str):
            self._view.say(basis)
            return
        command = command_of(self._experiment, basis)
        QGuiApplication.clipboard().setText(command.line)
        self._view.say(" ".join(("The command is on the clipboard.", *command.remarks)), "muted")

    @Slot()
    def _ask_export(self) -> None:
        if self._view is not None and self._report is not None:
            title = self._report.outcome.plan.title
            saving.ask(self._view, "Export the Experiment", title, KINDS, partial(self._export, self._report))

    def _export(self, made: Report, path: Path) -> None:
        texts = {".md": partial(as_markdown, made), ".json": partial(as_json, made), ".csv": partial(runs_csv, made)}
        saving.save(self._aside, path, texts, self._tell_saved)

    def _tell_saved(self, failure: Failure | None) -> None:
        if self._view is not None:
            self._view.say(sentence(failure) if failure is not None else "")

    @Slot()
    def _open_session(self) -> None:
        self._playground.open_session(self._playground.experimenting.session)

    @Slot(str, str)
    def _compare(self, first: str, second: str) -> None:
        if self._view is not None:
            self._aside.do(partial(word_diff, first, second), partial(self._view.show_diff, (first, second)))


class _Opener:
    """Opens the window with one question."""

    def __init__(self, experiments: Experiments, experiment: Experiment) -> None:
        self._experiments, self._experiment = experiments, experiment

    def open(self) -> None:
        self._experiments.open(self._experiment)
