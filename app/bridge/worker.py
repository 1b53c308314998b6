"""The worker: one QObject on one thread that owns the engine for life, and speaks only in signals."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QThread, Signal, Slot

from app.engine.errors import AbortedError, unexpected_failure, unopened
from app.engine.jobs import Job, LeaveOut, PromptJob
from app.engine.protocol import CachePersistence, Collect, Emit, Engine, StopFlag, failed_run, stop_scope
from app.engine.types import (
    AblationResult,
    Event,
    ExactPrompt,
    Failure,
    Loading,
    LoadRequest,
    Memory,
    Model,
    Prefill,
    Prompted,
    PromptSource,
    Request,
    Reusable,
    SpelledToken,
    Stopped,
    Token,
    TokenPrompt,
    Tuning,
    Unit,
)
from app.i18n import tr

if TYPE_CHECKING:
    from app.bridge.study_runners import Conduct
    from app.perplexity.measuring import PerplexityMeasurement

Value = TypeVar("Value")
EngineFactory = Callable[[Collect], Engine]
Measure = Callable[[Engine, Emit, StopFlag], object]
"""It may raise BrokenOffError."""

NO_PARTS = Failure(tr("The prompt has nothing that could be left out."), tr("Ask in more words."), kind="empty")
AT_TEXT = tr("The tokenizer failed at this text."), tr("Try another text.")
AT_PROMPT = tr("The engine failed at this prompt."), tr("Try again, or change the prompt.")
NO_ENGINE = Failure(tr("The engine is not running."), tr("Restart Sluice."), kind="no engine")


class Worker(QObject):
    """Everything it does happens on its own thread; its slots are reached through queued connections."""

    opened = Signal()
    loading = Signal(object)
    """Loading"""
    loaded = Signal(object)
    """Model: the end of a load, and the model that is open after it"""
    emptied = Signal()
    """The end of a load or an unload after which no model is open."""
    prompted = Signal(object)
    """Prompted"""
    prefilled = Signal(object)
    """Prefill"""
    begun = Signal()
    """The first token of a run is out: it is worth a frame of its own."""
    responded = Signal(object)
    """Token: one signal for each `GenerationResponse`"""
    measured = Signal(object)
    """Memory"""
    finished = Signal(object)
    """Finish"""
    noted = Signal(object)
    """A note of an experiment or an evaluation"""
    tuned = Signal()
    """What `measured` tells from now on is measured against another limit."""
    failed = Signal(object)
    """Failure: to open the engine or a model. A run's failure is part of its Finish."""

    def __init__(self, factory: EngineFactory, collect: Collect = gc.collect) -> None:
        super().__init__()
        self._factory = factory
        self._collect = collect
        self._engine: Engine | None = None
        self._model: Model | None = None
        self._waiting_for_first = False

    @Slot()
    def open(self) -> None:
        """Make the engine here, where it will live; this imports the heavy libraries while the window is up."""
        try:
            self._engine = self._factory(self._collect)
        except Exception as error:
            self.failed.emit(unexpected_failure(tr("The engine could not be started."), tr("Reinstall Sluice."), error))
        else:
            # What the imports made stays: a collection that looks at all of it takes 65 to 110 ms, the rest of it ten.
            # Never again after this: what a load makes has to be collectable, or that model would stay in memory.
            gc.freeze()
            self.opened.emit()

    @Slot(object)
    def work(self, order: Callable[[], object]) -> None:
        """One of those that follow; of some the answer is awaited."""
        order()

    @Slot(object, object)
    def load(self, request: LoadRequest, stop: StopFlag) -> None:
        """Open a model in place of the present one; `loaded` or `emptied` is the last word."""
        if self._engine is None:
            self.failed.emit(NO_ENGINE)
        elif isinstance(outcome := self._load(self._engine, request, stop), Model):
            self._model = outcome
        else:
            if isinstance(outcome, Failure):
                self.failed.emit(outcome)
            if not self._engine.has_model():
                self._model = None
        self._tell_model()

    def _load(self, engine: Engine, request: LoadRequest, stop: StopFlag) -> Model | Failure | Stopped:
        try:
            with stop_scope(stop):
                return engine.load(request, self._emit, stop)
        except (Exception, SystemExit) as error:
            # mlx-lm has modules that call sys.exit at import.
            return unopened(request.model, error)

    def _tell_model(self) -> None:
        """What is open now: a load that fails early leaves the present model alone."""
        if self._engine is not None:
            self.measured.emit(self._engine.memory())
        if self._model is not None:
            self.loaded.emit(self._model)
        else:
            self.emptied.emit()

    @Slot(object, object)
    def run(self, request: Request, stop: StopFlag) -> None:
        """Generate to the end; the last signal of each run is `finished`."""
        self._waiting_for_first = True
        try:
            if self._engine is None:
                finish = failed_run(stop, NO_ENGINE)
            else:
                with stop_scope(stop):
                    finish = self._engine.generate(request, self._emit, stop)
        except Exception as error:
            failure = unexpected_failure(tr("The engine failed in the middle of this run."), tr("Try again."), error)
            finish = failed_run(stop, failure)
        self.finished.emit(finish)

    def spell(self, source: PromptSource) -> ExactPrompt | Failure:
        """Which tokens a text is, or which text tokens are."""
        return self._said(lambda engine: engine.render(source), *AT_TEXT)

    def take_apart(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        """What each token of a text adds to it."""
        return self._said(lambda engine: engine.take_apart(source), *AT_TEXT)

    def _said(
        self, ask: Callable[[Engine], Value], what: str, todo: str, stop: StopFlag | None = None
    ) -> Value | Failure:
        """What the engine answers; else that it failed, and what to do."""
        if self._engine is None:
            return NO_ENGINE
        try:
            with stop_scope(stop or StopFlag()):
                return ask(self._engine)
        except Exception as error:
            return unexpected_failure(what, todo, error)

    def _now_open(self, model: Model | None) -> Model | None:
        """After what may have opened others; None: it can't be told any more which."""
        if self._engine is not None:
            self._model = model if self._engine.has_model() else None
            self.measured.emit(self._engine.memory())
        return self._model

    def foresee(self, request: Request, stop: StopFlag) -> tuple[ExactPrompt | Failure, Reusable]:
        """What `run` would send, or why nothing, and what of it is cached."""

        def ask(engine: Engine) -> tuple[ExactPrompt | Failure, Reusable]:
            prompt = engine.render(request.prompt)
            return prompt, engine.reusable(prompt.ids, request) if isinstance(prompt, ExactPrompt) else Reusable()

        found = self._said(ask, tr("The prompt could not be foreseen."), tr("Change it, or send it as it is."), stop)
        return (found, Reusable()) if isinstance(found, Failure) else found

    def run_job(self, job: Job[Value], stop: StopFlag) -> Value | Failure | Stopped:
        """Do something besides generation."""
        return self._said(lambda engine: engine.run_job(job, self._emit, stop), *AT_PROMPT)

    def run_prompt_job(self, job: PromptJob[Value], stop: StopFlag) -> tuple[ExactPrompt, Value] | Failure | Stopped:
        """Do a job and return its prompt, with the text of each token, too."""
        found = self.run_job(job, stop)
        if isinstance(found, Failure | Stopped):
            return found
        prompt = self.spell(job.source)
        return prompt if isinstance(prompt, Failure) else (prompt, found)

    def leave_out(
        self,
        prompt: ExactPrompt,
        ids: tuple[int, ...],
        start: int,
        place: int,
        part: Unit | range,
        strength: float,
        stop: StopFlag,
    ) -> tuple[Unit | None, AblationResult] | Failure | Stopped:
        """How likely the ids from `start` on are without each such part of the prompt, and its unit; or without one."""
        from app.engine.prompt_parts import parts_of

        unit, parts = (None, (part,)) if isinstance(part, range) else parts_of(prompt, start, part)
        if not parts:
            return NO_PARTS
        found = self.run_job(LeaveOut(TokenPrompt(ids), start, place, parts, strength), stop)
        return (unit, found) if isinstance(found, AblationResult) else found

    def weigh_text(
        self, weighing: PerplexityMeasurement, stop: StopFlag
    ) -> tuple[Failure | Stopped | None, Model | None]:
        """On with a text, on as many models as that takes; and which of them is open after it."""
        what, todo = tr("The engine failed at this text."), tr("Try again, or take another text.")
        outcome = self._said(lambda engine: weighing.go(engine, self._model, self._emit, stop), what, todo, stop)
        return outcome, self._now_open(weighing.opened)

    def measure_speed(self, work: Measure, stop: StopFlag) -> tuple[object, Model | None]:
        """What was measured, Failure or Stopped; and which model is open after it."""

        def measure(engine: Engine) -> object:
            try:
                return work(engine, self._emit, stop)
            except AbortedError as off:
                return off.outcome

        outcome = self._said(measure, tr("The engine failed while it was measured."), tr("Try again."), stop)
        return outcome, self._now_open(self._model)

    def conduct(self, work: Conduct, stop: StopFlag) -> tuple[object, Model | None]:
        """Run an experiment or an evaluation. Return its Outcome or a Failure, and the model that is open after it."""
        if (model := self._model) is None:
            return NO_ENGINE, None
        what, todo = tr("An error ended the experiment."), tr("Try again.")
        outcome = self._said(lambda engine: work(engine, model, stop, self.noted.emit), what, todo, stop)
        return outcome, self._now_open(None if isinstance(outcome, Failure) else outcome.model)

    def tune(self, tuning: Tuning) -> None:
        """Hold the engine to this from now on; a run that goes on is over by then."""
        if self._engine is not None:
            self._engine.tune(tuning)
            self.measured.emit(self._engine.memory())
            self.tuned.emit()

    def save(self) -> None:
        """Nothing goes on: what the caches have is written, where that is wanted."""
        if isinstance(self._engine, CachePersistence):
            self._engine.save()
            self.measured.emit(self._engine.memory())

    def forget(self, session: int) -> None:
        """A session was deleted, or with 0 all of them."""
        if isinstance(self._engine, CachePersistence):
            self._engine.forget(session)
            self.measured.emit(self._engine.memory())

    def unload(self) -> None:
        """Let the model go."""
        if self._engine is not None:
            self._engine.unload()
        self._model = None
        self._tell_model()

    @Slot()
    def close(self) -> None:
        """The last act on this thread: the engine leaves it clean, then its loop ends."""
        try:
            if self._engine is not None:
                self._engine.close()
                self._engine = None
        finally:
            QThread.currentThread().quit()

    def _emit(self, event: Event) -> None:
        if isinstance(event, Token):
            self.responded.emit(event)
            if self._waiting_for_first:
                self._waiting_for_first = False
                self.begun.emit()
        elif isinstance(event, Memory):
            self.measured.emit(event)
        elif isinstance(event, Prefill):
            self.prefilled.emit(event)
        elif isinstance(event, Prompted):
            self.prompted.emit(event)
        elif isinstance(event, Loading):
            self.loading.emit(event)
