"""The player of lessons: runs their steps in the playground, saves progress, and restores the user's input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.bridge.comparison_runner import ComparisonRunner
from app.bridge.tasks import Tasks
from app.controls import OBJECTS, Controls, Mode
from app.engine.catalogue import SETTINGS
from app.engine.meter.meter import Frame
from app.engine.types import Failure, Model, Token
from app.experiments.conclusion_text import why_nothing
from app.experiments.types import ExperimentOutcome, ExperimentStep
from app.files.settings import Settings
from app.i18n import tr
from app.lessons import progress as progress_files
from app.lessons.comparison import QuantizedComparison
from app.lessons.figures import InspectedRun, LessonOutcome, MeasuredRun, measure
from app.lessons.inspection import token_at
from app.lessons.library import FIRST, TEMPLATE, LessonLibrary
from app.lessons.planning import plan_of
from app.lessons.texts import LessonTexts
from app.lessons.types import Lesson, LessonPrediction, LessonProgress, LessonStepKind, Step, StepView
from app.records.types import SessionId
from app.state import SETTLED, Phase, Run, State
from app.ui.guide.help_view import language
from app.ui.guide.lesson_panel import LessonPanel
from app.ui.guide.lesson_pointer import LessonPointer
from app.ui.widgets.files import ask_folder, ask_save, write

if TYPE_CHECKING:
    from app.ui.guide.controller import GuideController

SAVING = "save progress"
CONTROL_NAMES = frozenset(OBJECTS.get(name, name) for name in SETTINGS)
"""Object names of the controls."""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """The user's session, settings and unsent text of a mode, from before the lesson."""

    session: SessionId
    controls: Controls
    text: str


class LessonPlayer(QObject):
    """Plays one lesson at a time in the guide's `room`, beside the conversation."""

    def __init__(self, guide: GuideController) -> None:
        super().__init__(guide)
        self._guide, self._playground, self._prompt = guide, guide.playground, guide.prompt
        self._library, self._models = LessonLibrary(guide.resources / "lessons", guide.data), guide.resources / "models"
        self._tasks = Tasks(self)
        self._lesson: Lesson | None = None
        self._progress = LessonProgress("")
        self._unsaved: LessonProgress | None = None
        self._running: Step | None = None
        """The step whose run, look inside, experiment or comparison is in progress."""
        self._inspected: Run | None = None
        """The finished run of that step, while its answer is inspected."""
        self._tokens: list[Token] = []
        self._pages: dict[Mode, SavedPage] = {}
        self._sessions: dict[Mode, SessionId] = {}
        """The sessions that the next runs of this lesson continue."""
        self._own: set[SessionId] = set()
        """The sessions of all runs of lessons."""
        self._first_mode: Mode | None = None
        """The mode before the lesson's first run; None before it."""
        self._is_leaving = False
        # Not within a change of the state: other listeners must have got that one first.
        self._restoring = QTimer(self, singleShot=True, interval=0)
        self._restoring.timeout.connect(self._restore)
        self._pointer = LessonPointer(guide.theme, guide.page)
        self._comparison = ComparisonRunner(self._playground, self._library.progress_folder, self)
        self.panel = LessonPanel(guide.theme, self)
        layout = guide.room.layout()
        assert layout is not None
        layout.addWidget(self.panel)
        self._listen()

    def _listen(self) -> None:
        playground, experiments = self._playground, self._playground.experiment_runner
        for advanced in (playground.advanced, playground.advanced_elsewhere):
            advanced.connect(self._on_advanced)
        for finished in (playground.finished, playground.finished_elsewhere):
            finished.connect(self._on_finished)
        playground.inspected.connect(self._on_inspected)
        playground.follow(("phase", "opening", "model"), self._on_state)
        experiments.stepped.connect(self._on_stepped)
        experiments.ended.connect(self._on_experiment_ended)
        self._comparison.progressed.connect(self._on_comparison_progressed)
        self._comparison.ended.connect(self._on_compared)

    # Lessons and steps.

    def show_list(self) -> None:
        self._lesson = None
        self._pointer.point_at(None)
        self._tasks.start(self._show_list(), "read")

    def begin(self, folder: Path | None = None) -> None:
        """Open the lesson of a folder, or the first one, at the step where the student left it."""
        self._guide.withdraw_offer()
        self._tasks.start(self._begin(folder or self._library.bundled / FIRST), "read")

    def begin_bundled(self, name: str) -> None:
        self.begin(self._library.bundled / name)

    def leave(self) -> None:
        """Close the panel, and restore prompt, settings and session of both modes."""
        self._lesson = None
        self._pointer.point_at(None)
        self._guide.room.hide()
        self._guide.lesson_left.emit()
        self._is_leaving = True
        if self._running is not None:
            self.stop()
        self._restore()

    def close(self) -> None:
        self._comparison.close()

    def discard(self) -> None:
        self._comparison.discard()

    def with_saved_page(self, settings: Settings) -> Settings:
        """Return the settings with the session from before the lesson, so that the next start opens it."""
        page = self._pages.get(self._first_mode) if self._first_mode is not None else None
        return settings if page is None else replace(settings, session=page.session, controls=page.controls)

    def forget_all(self) -> None:
        """Drop the saved pages, since all sessions were deleted."""
        self._pages.clear()
        self._sessions.clear()
        self._own.clear()

    async def _show_list(self) -> None:
        self.panel.show_list(await self._tasks.in_thread(self._library.open_all, language()))
        self._guide.room.show()

    async def _begin(self, folder: Path) -> None:
        opened = await self._tasks.in_thread(self._library.open, folder, language())
        if isinstance(opened, Failure):
            await self._show_list()
            self.panel.show_failure(opened.sentence)
            return
        if opened[0].name != self._progress.lesson:
            self._sessions.clear()
        self._lesson, self._progress = opened
        self._guide.room.show()
        self._go_to_step()
        self.panel.focus_next()

    def move(self, by: int) -> None:
        """Go to another step; after the last one, show the list."""
        if self._lesson is None:
            return
        number, last = self._progress.step + by, len(self._lesson.steps) - 1
        is_done = self._progress.is_done or number >= last
        self._save(replace(self._progress, step=max(0, min(number, last)), is_done=is_done))
        if number > last:
            self.show_list()
        else:
            self._go_to_step()

    @property
    def _step(self) -> Step | None:
        return self._lesson.steps[self._progress.step] if self._lesson is not None else None

    def _go_to_step(self) -> None:
        """Show a step and point at its control; one that is out of view is shown first, without taking the focus."""
        self._show_step()
        name = self._step.point if self._step is not None else ""
        part = self._guide.page.findChild(QWidget, name) if name else None
        if part is not None and part.visibleRegion().isEmpty() and name in CONTROL_NAMES:
            self._guide.control_wanted.emit(name)
            self.panel.focus_next()
        self._pointer.point_at(part)

    def _show_step(self) -> None:
        if self._lesson is not None:
            is_ready = self._playground.state.phase is Phase.READY and self._running is None and not self._is_leaving
            model = self._playground.state.model
            progress = self._progress.of_model(model.name) if model is not None else self._progress
            self.panel.show_step(StepView(self._lesson, progress.step, progress, is_ready, self._running is self._step))

    def answer(self, answer: str) -> None:
        """Save the answer to the prediction: an option's key, a number or words."""
        if (step := self._step) is not None:
            self._save(self._progress.predict(LessonPrediction(step.id, step.title, answer, step.compare)))

    # Runs.

    def run(self) -> None:
        step, lesson, model = self._step, self._lesson, self._playground.state.model
        if step is None or lesson is None or model is None or self._playground.state.phase is not Phase.READY:
            return
        self.panel.show_failure("")
        if step.kind is LessonStepKind.EXPERIMENT:
            self._tasks.start(self._experiment(step, model), "experiment")
            return
        if step.kind is LessonStepKind.COMPARISON:
            self._running = step
            self._show_step()
            self._comparison.start(self.panel.own_text(lesson, step), step.bits)
            return
        self._enter(step.mode)
        self._playground.set_controls(step.controls())
        turns = self._playground.state.turns
        is_new = step.follows or not turns or step.mode is Mode.RAW
        self._running, self._tokens = step, []
        if not (self._playground.send(step.prompt) if is_new else self._playground.edit(0, step.prompt)):
            self._running = None
        session, journal = self._playground.state.session, self._playground.book.journal
        if session != self._sessions.get(step.mode) and journal is not None:
            is_raw = step.mode is Mode.RAW  # a lesson has a session for each mode
            journal.sessions.rename(session, tr("Raw: {title}").format(title=lesson.title) if is_raw else lesson.title)
        self._sessions[step.mode] = session
        self._own.add(session)
        self._show_step()

    def _enter(self, mode: Mode) -> None:
        """Show the lesson's session of this mode; save the user's page first."""
        if self._first_mode is None:
            self._first_mode = self._playground.state.controls.mode
        if mode is not self._playground.state.controls.mode:
            self._guide.mode_wanted.emit(mode.value)
        state = self._playground.state
        if self._sessions.get(mode) == state.session and mode in self._pages:
            return
        if state.session not in self._own or mode not in self._pages:
            self._pages[mode] = SavedPage(state.session, state.controls, self._prompt.text())
        self._guide.begin_session()
        self._prompt.set_text("")

    async def _experiment(self, step: Step, model: Model) -> None:
        plan = await self._tasks.try_in_thread(plan_of, step, model, self._models)
        if isinstance(plan, Failure):
            self.panel.show_failure(plan.sentence)
        elif self._playground.experiment(plan):
            self._running = step
            self._show_step()

    def _on_advanced(self, frame: Frame) -> None:
        if self._running is not None and self._running.kind is LessonStepKind.RUN:
            self._tokens += frame.tokens

    def _on_finished(self, run: Run) -> None:
        step = self._running
        if step is None or step.kind is not LessonStepKind.RUN:
            return
        is_displayed = self._playground.state.session == self._sessions.get(step.mode)
        if step.view is not None and run.finish.failure is None and is_displayed and not self._is_leaving:
            self._inspected = run
            self._inspect(step)
        else:
            self._conclude(run.model, MeasuredRun(run, self._tokens), run.finish.failure)

    def _inspect(self, step: Step) -> None:
        """Look inside the model at the last answer, in the tab Inside."""
        assert step.view is not None
        place = token_at(step.token, [token.text for token in self._tokens])
        self._guide.view_wanted.emit(step.view.value, len(self._playground.state.turns) - 1, place)
        if not self._playground.state.is_scoring:
            self._on_inspected(self._playground.state.failure)

    def _on_inspected(self, outcome: object) -> None:
        run, self._inspected = self._inspected, None
        if run is not None:
            failure = outcome if isinstance(outcome, Failure) else None
            self._conclude(run.model, InspectedRun(MeasuredRun(run, self._tokens), outcome), failure)

    def _on_stepped(self, step: ExperimentStep) -> None:
        if self._running is not None:
            words = tr("Run {number} of {total}").format(number=step.number, total=step.total)
            self._show_progress(words, tr("Experiment: {words}"), step.number - 1, step.total)

    def _on_experiment_ended(self, outcome: ExperimentOutcome) -> None:
        if (step := self._running) is not None and step.kind is LessonStepKind.EXPERIMENT:
            self._conclude(outcome.model.name, outcome, why_nothing(outcome))

    def _on_comparison_progressed(self, words: str, done: int, total: int) -> None:
        self._show_progress(words, tr("Comparison: {words}"), done, total)

    def _show_progress(self, words: str, elsewhere: str, done: int, total: int) -> None:
        """Show progress in the panel, if it shows the running step, and outside of it once the model is in use."""
        if self._running is self._step:
            self.panel.show_progress(words)
        if total:
            self._guide.progressed.emit(elsewhere.format(words=words), done, total)

    def _on_compared(self, outcome: QuantizedComparison | Failure) -> None:
        if isinstance(outcome, Failure):
            self._conclude("", None, outcome)
        else:
            self._conclude(outcome.model, outcome)

    def _conclude(self, model: str, outcome: LessonOutcome | None, failure: Failure | None = None) -> None:
        """End the running step: save its figures, or show the failure. Nothing is saved after another lesson began."""
        step, self._running = self._running, None
        if step is None or self._lesson is None or step not in self._lesson.steps:
            return
        if failure is None and outcome is not None and (figures := measure(self._lesson, step, outcome)):
            self._save(self._progress.measure(model, figures))
        self._show_step()
        if failure is not None:
            self.panel.show_failure(failure.sentence)

    def stop(self) -> None:
        if self._running is not None and self._running.kind is LessonStepKind.COMPARISON:
            self._comparison.stop()
        else:
            self._playground.stop()

    def _on_state(self, state: State) -> None:
        if self._is_leaving:
            self._restoring.start()
        if self._step is not None and self._step.measures:  # other steps have fields that the student types in
            self._show_step()

    # Restoring.

    def _restore(self) -> None:
        """Restore the saved pages, the last one first. Reading a session is not finished when this returns."""
        state = self._playground.state
        while self._pages and state.phase in SETTLED and not state.opening:
            mode, page = self._pages.popitem()
            if state.controls.mode is not mode:
                self._guide.mode_wanted.emit(mode.value)
            is_own = self._playground.state.session in (0, *self._own)
            if is_own and not (page.session and self._playground.open_session(page.session)):
                self._guide.begin_session()
                self._playground.set_controls(page.controls)
                self._prompt.set_text(page.text)
            state = self._playground.state
        if self._pages or state.opening or state.phase not in SETTLED:
            return
        self._is_leaving = False
        self._sessions.clear()
        self._own.clear()
        first, self._first_mode = self._first_mode, None
        if first is not None and first is not state.controls.mode:
            self._guide.mode_wanted.emit(first.value)

    # Files.

    def _save(self, progress: LessonProgress) -> None:
        """Save the progress on a thread; a later one waits for it."""
        self._progress = self._unsaved = progress
        if not self._tasks.is_running(SAVING):
            self._tasks.start(self._write(), SAVING)

    async def _write(self) -> None:
        while (progress := self._unsaved) is not None:
            self._unsaved = None
            folder = self._library.progress_folder
            outcome = await self._tasks.complete(partial(progress_files.write_progress, folder, progress))
            if isinstance(outcome, Failure):
                self.panel.show_failure(tr("The progress can't be saved. Check the free space of the data folder."))

    def open_folder(self) -> None:
        ask_folder(self._guide.page, tr("Open a Lesson"), self.begin)

    def save_template(self) -> None:
        copy = lambda to: self._tasks.start(self._report(partial(self._library.copy_template, to), to / TEMPLATE))  # noqa: E731
        ask_folder(self._guide.page, tr("Save a Lesson Template"), copy)

    def save_sheet(self) -> None:
        read = lambda folder: self._tasks.start(self._read_class(folder))  # noqa: E731
        ask_folder(self._guide.page, tr("Folder of a Class"), read)

    def save_answers(self) -> None:
        if self._lesson is not None:
            answers = progress_files.as_json(LessonTexts(self._lesson, self._progress).progress_with_results())
            self._ask_save(tr("Save Answers"), self._progress.title, ".json", answers)

    async def _read_class(self, folder: Path) -> None:
        sheet = await self._tasks.try_in_thread(progress_files.class_sheet, folder)
        if isinstance(sheet, Failure):
            self.panel.show_failure(sheet.sentence)
        else:
            self._ask_save(tr("Save the Class Sheet"), folder.name, ".csv", sheet)

    def _ask_save(self, title: str, name: str, suffix: str, text: str) -> None:
        save = lambda path: self._tasks.start(self._report(partial(write, path, text), path))  # noqa: E731
        ask_save(self._guide.page, title, name, {suffix: tr("Answers")}, save)

    async def _report(self, job: Callable[[], Failure | None], saved: Path) -> None:
        """Save something on a thread, and show its place or the failure."""
        if (failure := await self._tasks.complete(job)) is not None:
            self.panel.show_failure(failure.sentence)
        else:
            self.panel.show_failure(tr("Saved: {file}").format(file=saved), "muted")
