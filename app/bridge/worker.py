"""The worker: a QObject on the engine thread. It owns the engine and reports by signals."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QThread, Signal, Slot

from app.engine.errors import AbortedError, open_failure, unexpected_failure
from app.engine.jobs import Ablate, Job, PromptJob
from app.engine.protocol import CachePersistence, Collect, Emit, Engine, StopFlag, failed_run, stop_scope
from app.engine.types import (
    AblationResult,
    AblationUnit,
    Cancellation,
    ChatPrompt,
    Event,
    ExactPrompt,
    Failure,
    Loading,
    LoadRequest,
    Memory,
    Model,
    Prefill,
    PromptEvent,
    PromptSource,
    Request,
    Reusable,
    Rewrite,
    SpelledToken,
    Token,
    TokenPrompt,
    Tuning,
)
from app.i18n import tr

if TYPE_CHECKING:
    from app.bridge.study_runners import Conduct
    from app.engine.next_turn import RewriteFinder
    from app.perplexity.cache_measuring import CacheMeasurement
    from app.perplexity.measuring import PerplexityMeasurement

Value = TypeVar("Value")
EngineFactory = Callable[[Collect], Engine]
Measure = Callable[[Engine, Emit, StopFlag], object]
"""May raise AbortedError."""

NO_PARTS = Failure(tr("The prompt has no part that can be left out."), tr("Write a longer prompt."), kind="empty")
TEXT_FAILED = tr("The tokenizer failed at this text."), tr("Try another text.")
PROMPT_FAILED = tr("The engine failed at this prompt."), tr("Try again, or change the prompt.")
NO_ENGINE = Failure(tr("The engine is not running."), tr("Restart Sluice."), kind="no engine")


class Worker(QObject):
    """Runs on the engine thread; its slots are called through queued connections."""

    opened = Signal()
    loading = Signal(object)  # Loading
    loaded = Signal(object)
    """Model that is open after a load."""
    emptied = Signal()
    """A load or an unload has ended without an open model."""
    prompted = Signal(object)  # PromptEvent
    prefilled = Signal(object)  # Prefill
    begun = Signal()
    """The first token of a run was emitted; it gets a frame of its own."""
    responded = Signal(object)
    """Token: one signal for each `GenerationResponse`"""
    measured = Signal(object)  # Memory
    finished = Signal(object)  # Finish
    noted = Signal(object)
    """A note of an experiment or an evaluation"""
    tuned = Signal()
    """The limits were applied: later `measured` events have the new memory limit."""
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
        """Make the engine on its thread, which imports the heavy libraries while the window is shown."""
        try:
            self._engine = self._factory(self._collect)
        except AbortedError as aborted:
            self.failed.emit(aborted.outcome)
        except Exception as error:
            self.failed.emit(unexpected_failure(tr("The engine could not be started."), tr("Reinstall Sluice."), error))
        else:
            # Objects made by the imports are never freed; a full collection takes 65–110 ms with them, 10 ms without.
            # Never frozen again after this: a model must stay collectable.
            gc.freeze()
            self.opened.emit()

    @Slot(object)
    def call(self, work: Callable[[], object]) -> None:
        """Call one of the methods below, or another function, on this thread."""
        work()

    @Slot(object, object)
    def load(self, request: LoadRequest, stop: StopFlag) -> None:
        """Replace the open model, then emit `loaded` or `emptied`."""
        if self._engine is None:
            self.failed.emit(NO_ENGINE)
            self._emit_model()
            return
        try:
            with stop_scope(stop):
                outcome = self._engine.load(request, self._emit, stop)
        except (Exception, SystemExit) as error:  # mlx-lm has modules that call sys.exit at import
            outcome = open_failure(request.model, error)
        if isinstance(outcome, Failure):
            self.failed.emit(outcome)
        if isinstance(outcome, Model):
            self._model = outcome
        elif not self._engine.has_model():
            self._model = None
        self._emit_model()

    def _emit_model(self) -> None:
        """Emit the open model: after a load that failed early, this is the previous one."""
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
            failure = unexpected_failure(tr("The engine failed during this run."), tr("Try again."), error)
            finish = failed_run(stop, failure)
        self.finished.emit(finish)

    def tokenize(self, source: PromptSource) -> ExactPrompt | Failure:
        return self._ask(lambda engine: engine.render(source), *TEXT_FAILED)

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        return self._ask(lambda engine: engine.token_texts(source), *TEXT_FAILED)

    def _ask(
        self, ask: Callable[[Engine], Value], what: str, todo: str, stop: StopFlag | None = None
    ) -> Value | Failure:
        """Return the engine's result, or a Failure with these sentences if it raised."""
        if self._engine is None:
            return NO_ENGINE
        try:
            with stop_scope(stop or StopFlag()):
                return ask(self._engine)
        except Exception as error:
            return unexpected_failure(what, todo, error)

    def _set_model(self, model: Model | None) -> Model | None:
        """Set the open model after a job that may have opened others; None: unknown."""
        if self._engine is not None:
            self._model = model if self._engine.has_model() else None
            self.measured.emit(self._engine.memory())
        return self._model

    @cached_property
    def _rewrites(self) -> RewriteFinder:
        from app.engine.next_turn import RewriteFinder

        return RewriteFinder()

    def preview_turn(self, request: Request, stop: StopFlag) -> tuple[ExactPrompt | Failure, Reusable, Rewrite | None]:
        """Return the prompt that `run` would send or a Failure, its cached tokens, and what the template rewrites."""

        def ask(engine: Engine) -> tuple[ExactPrompt | Failure, Reusable, Rewrite | None]:
            def look(source: PromptSource) -> tuple[ExactPrompt | Failure, Reusable]:
                prompt = engine.render(source)
                return prompt, engine.reusable(prompt.ids, request) if isinstance(prompt, ExactPrompt) else Reusable()

            prompt, found = look(request.prompt)
            if isinstance(prompt, Failure) or self._model is None or not isinstance(request.prompt, ChatPrompt):
                return prompt, found, None
            return prompt, found, self._rewrites.find(request.prompt, prompt, found, self._model, look)

        found = self._ask(ask, tr("The prompt preview failed."), tr("Change the prompt, or send it anyway."), stop)
        return (found, Reusable(), None) if isinstance(found, Failure) else found

    def run_job(self, job: Job[Value], stop: StopFlag) -> Value | Failure | Cancellation:
        return self._ask(lambda engine: engine.run_job(job, self._emit, stop), *PROMPT_FAILED)

    def run_prompt_job(
        self, job: PromptJob[Value], stop: StopFlag
    ) -> tuple[ExactPrompt, Value] | Failure | Cancellation:
        """Do a job; return also its prompt and the text of each token."""
        found = self.run_job(job, stop)
        if isinstance(found, Failure | Cancellation):
            return found
        prompt = self.tokenize(job.source)
        return prompt if isinstance(prompt, Failure) else (prompt, found)

    def ablate(
        self,
        prompt: ExactPrompt,
        ids: tuple[int, ...],
        start: int,
        position: int,
        part: AblationUnit | range,
        strength: float,
        stop: StopFlag,
    ) -> tuple[AblationUnit | None, AblationResult] | Failure | Cancellation:
        """Score the ids from `start` on without each part of the prompt.

        Also return the unit of the parts; None for a single part.
        """
        from app.engine.prompt_parts import parts_of

        unit, parts = (None, (part,)) if isinstance(part, range) else parts_of(prompt, start, part)
        if not parts:
            return NO_PARTS
        found = self.run_job(Ablate(TokenPrompt(ids), start, position, parts, strength), stop)
        return (unit, found) if isinstance(found, AblationResult) else found

    def measure_perplexity(
        self, measurement: PerplexityMeasurement | CacheMeasurement, stop: StopFlag
    ) -> tuple[Failure | Cancellation | None, Model | None]:
        """Start or continue a measurement on its models; return also the model that is open after it."""
        what, todo = tr("The engine failed at this text."), tr("Try again, or choose another text.")
        outcome = self._ask(lambda engine: measurement.go(engine, self._model, self._emit, stop), what, todo, stop)
        return outcome, self._set_model(measurement.opened)

    def measure_speed(self, work: Measure, stop: StopFlag) -> tuple[object, Model | None]:
        """Measure the speed. Return the result, a Failure or Cancellation, and the model that is open after it."""

        def measure(engine: Engine) -> object:
            try:
                return work(engine, self._emit, stop)
            except AbortedError as off:
                return off.outcome

        outcome = self._ask(measure, tr("The engine failed during the measurement."), tr("Try again."), stop)
        return outcome, self._set_model(self._model)

    def conduct(self, work: Conduct, stop: StopFlag) -> tuple[object, Model | None]:
        """Run an experiment or an evaluation. Return its Outcome or a Failure, and the model that is open after it."""
        if (model := self._model) is None:
            return NO_ENGINE, None
        what, todo = tr("An error ended the experiment or evaluation."), tr("Try again.")
        outcome = self._ask(lambda engine: work(engine, model, stop, self.noted.emit), what, todo, stop)
        return outcome, self._set_model(None if isinstance(outcome, Failure) else outcome.model)

    def tune(self, tuning: Tuning) -> None:
        if self._engine is not None:
            self._engine.tune(tuning)
            self.measured.emit(self._engine.memory())
            self.tuned.emit()

    def save(self) -> None:
        """Write the KV caches to disk, if that is turned on."""
        if isinstance(self._engine, CachePersistence):
            self._engine.save()
            self.measured.emit(self._engine.memory())

    def forget(self, session: int) -> None:
        """Delete the caches of a deleted session; 0: of all sessions."""
        if isinstance(self._engine, CachePersistence):
            self._engine.forget(session)
            self.measured.emit(self._engine.memory())

    def unload(self) -> None:
        if self._engine is not None:
            self._engine.unload()
        self._model = None
        self._emit_model()

    @Slot()
    def close(self) -> None:
        """Close the engine, then end the event loop of this thread."""
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
        elif isinstance(event, PromptEvent):
            self.prompted.emit(event)
        elif isinstance(event, Loading):
            self.loading.emit(event)
