"""The window of experiments: the form on the left, the results on the right."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QSplitter, QWidget

from app.bridge.model_sources import ModelFolders, Servers
from app.bridge.playground import Playground
from app.definitions import meaning
from app.engine.meter.meter import Frame
from app.engine.types import Failure, Loading, LoadRequest, Model
from app.experiments import duration
from app.experiments.conclusion_text import STOPPED, cautions, whole_rounds, why_nothing
from app.experiments.export import Report, as_json, as_markdown, concluded, runs_csv
from app.experiments.headless import command_of
from app.experiments.html_export import as_html
from app.experiments.metrics import table
from app.experiments.questions import EXPERIMENTS, find_experiment, length, sweep
from app.experiments.run import joined, remaining_plan
from app.experiments.sample import QUICK_ROUNDS, quick_look, sample_basis, sample_plan
from app.experiments.types import (
    BaseConfig,
    Batch,
    Experiment,
    ExperimentOutcome,
    ExperimentStep,
    Plan,
    RunResult,
)
from app.i18n import tr
from app.number_format import rough_duration
from app.records.journal import Journal
from app.records.types import JournalChange, RunId, RunRow, SessionId
from app.state import Phase, Run
from app.ui.experiments.controller import ExperimentsController
from app.ui.experiments.form import REPEATS, ExperimentForm
from app.ui.experiments.results import Results
from app.ui.experiments.setup import (
    GridTitles,
    Pair,
    SourceRun,
    about,
    basis_of,
    experiment_kinds,
    find_choices,
    find_server_choices,
    first_setup,
    needed_rounds,
    titles_of,
    varied,
)
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Theme, scaled
from app.ui.study_window import BUSY, DEMO, NO_MODEL, SHOWN_EVERY_MS, SHOWN_SHARE, StudyWindow, call_with_model
from app.ui.widgets import SmallPrint, bring_up, in_column, in_row, push_button

KINDS = {".html": tr("Report"), ".md": tr("Report"), ".json": tr("All data"), ".csv": tr("One row per run")}
PROGRESS_EVERY_S = 0.25
SLOW_SAMPLE_S = 60.0
RUNS_READ = 200
"""The latest runs, among which the speed of the open model is looked for."""
HALVES_PX = (344, 750)
LEAST_FORM_PX = 204


@dataclass(frozen=True, slots=True)
class KeptResult:
    """The last result of an experiment, and what its continuation needs."""

    report: Report
    titles: GridTitles | None
    session: SessionId
    rounds: int
    """Number of rounds that Start would have measured."""


class ExperimentWindow(StudyWindow):
    """Runs one experiment at a time, and shows the last one.

    `bundled` is the folder of the program's own models.
    """

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        folders: ModelFolders,
        servers: Servers,
        parent: QWidget,
        controller: ExperimentsController,
    ) -> None:
        tip = tr("Run all variants, alternating in each round")
        super().__init__(playground, theme, parent, "experiment", tr("Experiments"), tip)
        self._theme, self._bundled, self._folders, self._servers = theme, bundled, folders, servers
        self._demo = str(bundled / DEMO)
        self._controller = controller
        self._experiment = EXPERIMENTS[0]
        """The experiment that the form shows."""
        self._source: SourceRun | None = None
        self._model: Model | None = None
        """The model whose draft models the form shows, or will show once they are found."""
        self._begun: Experiment | None = None
        """The last experiment that was started: the results are of this one."""
        self._outcome: ExperimentOutcome | None = None
        self._report: Report | None = None
        self._recorded: SessionId = 0
        """The session of the displayed runs."""
        self._kept: dict[str, KeptResult] = {}
        """The last result of each experiment, by its name."""
        self._step: ExperimentStep | None = None
        self._told_at = 0.0
        self._rounds = 0
        """Number of rounds that the user wanted for the last experiment."""
        self._earlier: ExperimentOutcome | None = None
        """What was measured before the experiment was continued."""
        self._clock: duration.RunClock | None = None
        self._known: duration.KnownSpeed | None = None
        self._reopened: LoadRequest | None = None
        """The model to open again after a sample on the bundled one."""
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY_MS)
        self._later.timeout.connect(self._show_interim)
        # Each half gets its parent while it is empty: Qt restyles all children of a widget that moves.
        self._halves = QSplitter(Qt.Orientation.Horizontal, self, childrenCollapsible=False)
        self._left, self._right = QWidget(self._halves), QWidget(self._halves)
        self.form = ExperimentForm(theme, experiment_kinds(), self._left)
        self.fields = (self.form.inside,)  # the form can still be scrolled
        self.results = Results(theme)
        self._command = self.command_button("experiment_command", self._copy_command)
        tip = tr("Save the metrics and all runs: HTML, Markdown, JSON or CSV")
        self._export = push_button("experiment_export", tr("Export…"), tip, press=self._ask_export)
        tip = tr("Measure {rounds} rounds only, if necessary with shorter answers. More rounds can be added later.")
        tip = tip.format(rounds=QUICK_ROUNDS)
        self._quick = push_button("experiment_quick", tr("Quick look"), tip, press=self._look_quickly)
        tip = tr("Continue this experiment. Measured rounds are kept.")
        self._extend = push_button("experiment_extend", "", tip, press=self._continue)
        self._estimate = SmallPrint(theme, "experiment_estimate")
        self._estimate.setToolTip(meaning("expected_duration"))
        tip = tr("Open the session that contains the runs")
        self._session = push_button("experiment_session", tr("Open runs"), tip, press=self._open_runs)
        self._lay_out()
        self._listen()
        self._choose(self._experiment, None)

    def open_experiment(self, name: str) -> None:
        """Show this experiment, unless one is running."""
        if (experiment := find_experiment(name)) is not None:
            self._open(experiment, self._source if self.isVisible() else None, self._typed())

    def begin_from(self, rows: tuple[RunRow, ...], is_sweep: bool) -> None:
        """Take prompt and settings from the first run; for a sweep, the settings in which the runs differ."""
        journal = self.playground.book.journal
        if journal is not None and rows:
            experiment = sweep.EXPERIMENT if is_sweep else self._experiment
            self.tasks.start(self._begin_from(experiment, varied(rows), journal, rows[0].id), "basis")

    def try_last(self, name: str = "") -> None:
        """Take prompt and settings from the last run; `name` chooses the experiment."""
        if (run := self.playground.state.last_run) is not None:
            self._try(run, find_experiment(name) or self._experiment)

    def try_turn(self, index: int) -> None:
        """Take prompt and settings from the first run of a turn."""
        turns = self.playground.state.turns
        if 0 <= index < len(turns) and turns[index].runs:
            self._try(turns[index].runs[0], self._experiment)

    def leave(self) -> None:
        self._later.stop()
        super().leave()

    def start(self) -> None:
        """Start the experiment of the form."""
        basis, plan = self._planned()
        if isinstance(plan, Plan) and isinstance(basis, BaseConfig):
            self._begin(basis, plan, plan.repeats)
        else:
            self.foot.show_failure(plan if isinstance(plan, Failure) else None)

    def _begin(self, basis: BaseConfig, plan: Plan, rounds: int) -> None:
        self._rounds = max(plan.repeats, min(int(REPEATS.maximum), self._experiment.rounds(len(plan.arms))))
        plan = replace(plan, repeats=rounds)
        if self._run(plan, ExperimentOutcome(plan, basis.model)):
            self._begun, self._earlier = self._experiment, None
            self.results.clear(titles_of(self._experiment, basis))

    def _look_quickly(self) -> None:
        basis = self._basis()
        plan = quick_look(self._experiment, basis, self._known) if isinstance(basis, BaseConfig) else basis
        if isinstance(plan, Plan) and isinstance(basis, BaseConfig):
            self._begin(basis, plan, QUICK_ROUNDS)
        else:
            self.foot.show_failure(plan if isinstance(plan, Failure) else None)

    def _run_sample(self) -> None:
        model, reopened = self.playground.state.model, None
        if (
            model is not None
            and self._is_sample_slow(self._sample_seconds())
            and self.playground.load(LoadRequest(self._demo))
        ):
            reopened = replace(model.opened_by, anyway=True)

        def begin() -> None:
            self.tasks.start(self._begin_sample(reopened), "sample")

        if not call_with_model(self.playground, self._bundled, begin):
            self.foot.say(BUSY)

    async def _begin_sample(self, reopened: LoadRequest | None) -> None:
        """Start a sample of the chosen experiment, or of another one if that one can't start.

        `reopened`: the model to open again afterwards.
        """
        if (model := self.playground.state.model) is not None:
            await self._show_models(model)  # a sample may need a second model
        if isinstance(self._planned()[1], Failure):
            self._source = None
            self._choose(length.EXPERIMENT, None)
        if (sample := self._sample()) is not None:
            self._begin(*sample, sample[1].repeats)
        self._reopened = reopened
        if not self.foot.is_running:
            self._reopen()

    def _reopen(self) -> None:
        """Open the model again that was open before a sample on the bundled one."""
        request, self._reopened = self._reopened, None
        if request is not None:
            self.playground.load(request)

    def _show_sample(self) -> None:
        """Say on the empty page what the sample runs, or that results will come."""
        is_running = self.foot.is_running
        self.results.show_running(is_running, "" if is_running else self._sample_words())

    def _is_sample_slow(self, seconds: float) -> bool:
        """Return whether the sample takes long on the open model, which isn't the bundled one."""
        model = self.playground.state.model
        is_other = model is not None and str(model.folder) != self._demo and self._source is None
        return is_other and seconds > SLOW_SAMPLE_S

    def _sample_seconds(self) -> float:
        """Return the expected duration of the sample on the open model; 0 if it is unknown."""
        known, sample = self._known, self._sample()
        return duration.expected_seconds(sample[1], sample[0].model, known) if sample and known else 0.0

    def _sample(self) -> tuple[BaseConfig, Plan] | None:
        basis = self._basis()
        if isinstance(basis, Failure):
            return None
        basis = sample_basis(basis)
        plan = self._experiment.plan(basis)
        return (basis, sample_plan(plan)) if isinstance(plan, Plan) else None

    def _sample_words(self) -> str:
        """Say which model the sample runs on, and how long it takes if that is known."""
        model, seconds = self.playground.state.model, self._sample_seconds()
        if model is None:
            return tr("The sample opens the bundled demo model.")
        words = tr("The sample runs on {model} and takes at most about {duration}.")
        if self._is_sample_slow(seconds):
            words = tr("The sample runs on the bundled demo model. On {model} it would take up to {duration}.")
        elif not seconds:
            words = tr("The sample runs on {model}.")
        return words.format(model=model.name, duration=rough_duration(seconds))

    def _continue(self) -> None:
        """Measure the rounds that are missing."""
        if (earlier := self._outcome) is not None:
            plan = remaining_plan(earlier, max(self._rounds, earlier.plan.repeats))
            if self._run(plan, replace(earlier, plan=plan, stopped=False, failure=None)):
                self._earlier = earlier

    def _run(self, plan: Plan, outcome: ExperimentOutcome) -> bool:
        has_begun = self.begin(partial(self.playground.experiment, plan))
        if has_begun:
            self._outcome, self._clock = outcome, duration.RunClock(plan)
            self._report = self._step = None
            self._estimate.say(duration.runs_words(plan, outcome.model))
            self.enable()
        return has_begun

    def _planned(self) -> tuple[BaseConfig | Failure, Plan | Failure]:
        basis = self._basis()
        return basis, self._experiment.plan(basis) if isinstance(basis, BaseConfig) else basis

    def refresh(self) -> None:
        """Look for models, and show the results that have come while the window was hidden."""
        model = self.playground.state.model
        if model is not None and (model != self._model or not self.foot.is_running):
            if model != self._model:
                self._model, self._known = model, None
                self.form.show_models((), (), is_searching=True)
            self.tasks.start(self._show_models(model), "models")
            self.tasks.start(self._show_estimate(model), "speed")
        self._show_interim()

    def changeEvent(self, event: QEvent) -> None:
        """Look for models again when the user returns: one may have been downloaded or quantized."""
        super().changeEvent(event)
        is_back = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if is_back and self._model is not None and not self.foot.is_running and not self.tasks.is_running("models"):
            self.tasks.start(self._show_models(self._model), "models")

    def enable(self) -> None:
        phase, model = self.playground.state.phase, self.playground.state.model
        is_ready = phase is Phase.READY
        if not self.foot.is_running:
            self.form.about.say(about(self._source, model))
        self._show_sample()
        self.foot.allow(is_ready, phase is Phase.STOPPING, NO_MODEL if phase is Phase.EMPTY else BUSY)
        self._export.setEnabled(self._report is not None)
        is_idle = is_ready and not self.foot.is_running
        self._quick.setEnabled(is_idle)
        missing = self._missing_rounds()
        self._extend.setVisible(missing > 0 and not self.foot.is_running)
        self._extend.setEnabled(is_idle)
        self._extend.setText(tr("Run %n more rounds", "Run %n more round", missing))
        has_session = bool(self.playground.book.title(self._recorded))
        self._session.setEnabled(is_ready and self._outcome is not None and has_session)

    def show_loading(self, loading: Loading) -> None:
        self._controller.loading.emit(tr("the model of the next run"), loading)
        super().show_loading(loading)

    def _listen(self) -> None:
        runner = self.playground.experiment_runner
        runner.stepped.connect(self._on_stepped)
        runner.advanced.connect(self._on_advanced)
        runner.taken.connect(self._on_run_finished)
        runner.ended.connect(self._on_ended)
        self.playground.book.journal_changed.connect(
            lambda change: self.enable() if change is JournalChange.SESSIONS and self.isVisible() else None
        )
        self.form.experiment_picked.connect(self._pick)
        self.form.edited.connect(self._on_edited)
        self.results.empty.sample_wanted.connect(self._run_sample)
        self.serve_diff(self.results.texts.diff)
        self.results.texts.compare.clicked.connect(lambda: self._controller.comparison_wanted.emit(self._outcome))

    # The form.

    def _try(self, run: Run, experiment: Experiment) -> None:
        run = self.playground.load_full(run)
        self._open(experiment, SourceRun(run.request, run.model, run.prompt))

    async def _begin_from(
        self, experiment: Experiment, axes: tuple[Pair, ...], journal: Journal, number: RunId
    ) -> None:
        run = await self.tasks.in_thread(journal.runs.get, number)
        if run is not None:
            self._open(experiment, SourceRun(run.request, run.model.name, run.prompt, axes))

    def _open(self, experiment: Experiment, source: SourceRun | None, typed: str | None = None) -> None:
        is_same = experiment is self._experiment and source is self._source  # the form stays as it is
        if not self.foot.is_running and not is_same:
            self._source = source
            self._choose(experiment, typed)
        if self.isVisible():
            self.refresh()  # it gets no show event
        bring_up(self)

    def _pick(self, name: str) -> None:
        experiment = find_experiment(name)
        if experiment is not None and experiment is not self._experiment:
            self._choose(experiment, self._typed())

    def _typed(self) -> str | None:
        """Return the prompt if the user typed it: it stays when another experiment is chosen."""
        words = self.form.setup().prompt
        return words if words != first_setup(self._experiment, self._source).prompt else None

    def _choose(self, experiment: Experiment, typed: str | None) -> None:
        is_other, self._experiment = experiment is not self._experiment, experiment
        if is_other:
            self._show_last()
        self.form.show_setup(first_setup(experiment, self._source, typed))
        self._on_edited()
        self.enable()

    def _show_last(self) -> None:
        """Show the last result of the chosen experiment, or an empty page."""
        kept = self._kept.get(self._experiment.name)
        self._outcome, self._report, self._recorded = None, None, 0
        self.results.clear(kept.titles if kept is not None else None)
        if kept is None:
            return
        self._begun, self._outcome, self._rounds = self._experiment, kept.report.outcome, kept.rounds
        self._recorded = kept.session
        self._show_report(kept.report)

    def _basis(self) -> BaseConfig | Failure:
        model = self.playground.state.model
        if model is None:
            return Failure(NO_MODEL, "", kind="no model")
        return basis_of(self.form.setup(), self._experiment, self._source, model)

    def _on_edited(self) -> None:
        self.foot.say("")
        self._show_plan()

    def _show_plan(self) -> None:
        """Say how many rounds are needed, what Start will run, and how long it will take; or why it can't."""
        plan = self._planned()[1]
        needed = needed_rounds(self._experiment, self.form.setup().axes, plan if isinstance(plan, Plan) else None)
        self.form.show_needed(needed)
        self._quick.setVisible(needed > QUICK_ROUNDS)
        self._show_sample()
        basis, plan = self._planned()  # with the number of rounds
        if isinstance(plan, Plan) and isinstance(basis, BaseConfig):
            words = [duration.plan_words(plan, basis.model, self._known)]
            quick = quick_look(self._experiment, basis, self._known) if needed > QUICK_ROUNDS else None
            if isinstance(quick, Plan):
                quick = replace(quick, repeats=QUICK_ROUNDS)
                words.append(duration.quick_words(quick, basis.model, self._known))
            self._estimate.say(" ".join(words))
        else:
            self._estimate.say(plan.sentence if isinstance(plan, Failure) and plan.kind != "no model" else "")

    async def _show_estimate(self, model: Model) -> None:
        if (journal := self.playground.book.journal) is not None:
            rows = await self.tasks.in_thread(partial(journal.runs.rows, count=RUNS_READ))
            self._known = duration.known_speed(rows, model.name)
        self._show_plan()

    def _missing_rounds(self) -> int:
        """Return how many rounds of the last experiment are missing; 0 if it can't be continued."""
        outcome, model = self._outcome, self.playground.state.model
        if outcome is None or not outcome.measured() or outcome.plan.name != self._experiment.name:
            return 0
        is_same = outcome.model == model or outcome.plan.arms[0].load is not None
        return max(0, max(self._rounds, outcome.plan.repeats) - whole_rounds(outcome)) if is_same else 0

    async def _show_models(self, model: Model) -> None:
        on_servers = partial(find_server_choices, self._servers.entries, self._servers.keys)
        found = await self.tasks.in_thread(find_choices, model, self._bundled, self._folders.names, on_servers)
        self.form.show_models(*found)
        self._show_plan()

    def _copy_command(self) -> None:
        basis = self._basis()
        if isinstance(basis, Failure):
            self.foot.show_failure(basis)
        else:
            command = command_of(self._experiment, basis)
            self.copy_command(command.line, command.remarks)

    # The results.

    def _on_stepped(self, step: ExperimentStep) -> None:
        if not self.foot.is_running:
            return  # an experiment of a lesson
        self._step, self._told_at = step, 0.0
        if self._clock is not None:
            self._clock.begin(step, time.monotonic())
        self._show_step(step, None)

    def _on_advanced(self, frame: Frame) -> None:
        if frame.memory is not None:
            self._controller.measured.emit(frame.memory)
        if self._step is not None and frame.at - self._told_at >= PROGRESS_EVERY_S:
            self._told_at = frame.at
            self._show_step(self._step, frame)

    def _show_step(self, step: ExperimentStep, frame: Frame | None) -> None:
        """Show the step here and in the main window, where the user sees why the model is busy."""
        if self.playground.state.phase is not Phase.STOPPING:
            left = self._clock.seconds_left(time.monotonic()) if self._clock is not None else None
            words = duration.progress_words(step, frame, left)
            self._controller.progressed.emit(tr("Experiment: {words}").format(words=words), step.number - 1, step.total)
            self.show_progress(words, step.number - 1, step.total)

    def _on_run_finished(self, taken: RunResult | Batch) -> None:
        if (known := self._outcome) is None or not self.foot.is_running:
            return
        if isinstance(taken, RunResult):
            self._outcome = replace(known, results=(*known.results, taken))
        else:
            self._outcome = replace(known, batches=(*known.batches, taken))
        if not self._later.isActive():
            self._later.start()

    def _show_interim(self) -> None:
        outcome, experiment = self._outcome, self._begun
        if outcome is not None and experiment is not None and outcome.results and self.isVisible():
            started = time.perf_counter()
            self.results.show_outcome(outcome, table(outcome, experiment.columns))
            took_ms = 1000 * (time.perf_counter() - started)
            self._later.setInterval(max(SHOWN_EVERY_MS, round(took_ms * SHOWN_SHARE)))

    def _on_ended(self, outcome: ExperimentOutcome) -> None:
        self._step = None
        self._later.stop()
        if self._begun is None or not self.foot.is_running:
            return
        self._recorded = self.playground.experiment_runner.session
        outcome = self._outcome = joined(self._earlier, outcome) if self._earlier is not None else outcome
        self.show_progress(None)
        self._reopen()
        if self._model is not None:
            self.tasks.start(self._show_estimate(self._model), "speed")
        failure = why_nothing(outcome)
        if failure is not None and failure.kind == STOPPED.kind:
            self.foot.say(failure.sentence, "muted")
        elif failure is not None:
            self.foot.show_failure(failure)
        else:
            keep = partial(KeptResult, titles=self.results.titles, session=self._recorded, rounds=self._rounds)
            self.tasks.start(self._conclude(self._begun, outcome, keep), "report")
        self.enable()

    async def _conclude(
        self, experiment: Experiment, outcome: ExperimentOutcome, keep: Callable[[Report], KeptResult]
    ) -> None:
        journal = self.playground.book.journal
        folder = journal.folder if journal is not None else None
        made = await self.tasks.in_thread(concluded, experiment, outcome, folder)
        if not outcome.plan.is_sample:
            self._kept[experiment.name] = keep(made)
        if made.outcome is self._outcome:
            self._show_report(made)

    def _show_report(self, report: Report) -> None:
        self._report = report
        self.results.show_outcome(report.outcome, report.table)
        self.results.show_conclusion(report.conclusion, " ".join(cautions(report.outcome)), report.outcome)
        self.enable()

    def _ask_export(self) -> None:
        if (made := self._report) is not None:
            writers = {".html": as_html, ".md": as_markdown, ".json": as_json, ".csv": runs_csv}
            texts = {suffix: partial(write, made) for suffix, write in writers.items()}
            self.export(tr("Export the Experiment"), made.outcome.plan.title, KINDS, texts)

    def _open_runs(self) -> None:
        self.playground.open_session(self._recorded)

    def _lay_out(self) -> None:
        in_column(
            (self.form, 1), in_column(self._estimate, self.foot, self._quick, margins=(0, 0, GAP_PX, 0)), on=self._left
        )
        buttons = in_row(self._extend, ..., self._command, self._session, self._export)
        in_column((self.results, 1), buttons, on=self._right, margins=(GRID_PX, 0, 0, 0))
        halves = self._halves
        halves.setObjectName("experiment_halves")
        halves.setStretchFactor(1, 1)
        halves.setSizes([self._theme.scaled(width) for width in HALVES_PX])
        scaled(self._theme, self._left, QWidget.setMinimumWidth, LEAST_FORM_PX)
        in_column(halves, on=self, margins=MARGIN_PX)
