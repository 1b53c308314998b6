"""The base class of the playground: the state, the engine runner and the session store, and their signals."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, SignalInstance, Slot

from app.bridge import conversation
from app.bridge.displayed_run_tracker import DisplayedRunTracker, Playback
from app.bridge.preview import Preview
from app.bridge.runner import ActiveRun, Runner
from app.bridge.session_store import Opener, SessionStore
from app.bridge.study_runners import EvaluationRunner, ExperimentRunner
from app.bridge.tasks import Tasks
from app.bridge.traces import Traces
from app.bridge.worker import EngineFactory, Measure
from app.engine.jobs import ScoreTokens
from app.engine.meter.meter import Frame
from app.engine.protocol import StopFlag
from app.engine.saved_names import saved_sessions
from app.engine.types import (
    ExactPrompt,
    Failure,
    Loading,
    LoadRequest,
    Memory,
    Model,
    Prefill,
    PromptSource,
    Request,
    SpelledToken,
    TokenPrompt,
    Tuning,
)
from app.i18n import tr
from app.platform.shutdown import deadline, guarded
from app.records.inspection_results import InspectionResults
from app.records.types import JournalChange, SessionId
from app.state import BUSY, LOADABLE, READY, SETTLED, STOPPABLE, Conversation, Phase, Run, State

if TYPE_CHECKING:
    from app.evaluation.types import Evaluation
    from app.experiments.types import Plan
    from app.perplexity.cache_measuring import CacheMeasurement
    from app.perplexity.measuring import PerplexityMeasurement


IDLE_MS = 20_000
"""Caches are written to disk after this time without activity."""

Value = TypeVar("Value")
RenderPrompt = Callable[[PromptSource], ExactPrompt | Failure]
Work = Callable[[StopFlag], tuple[object, Model | None]]
"""The result of work, and the model that is open after it."""


class FieldChange(QObject):
    """Filters `changed` by the fields that one listener needs."""

    found = Signal(object)
    """The new State."""

    def __init__(self, fields: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._fields = fields

    def compare(self, old: State, new: State) -> None:
        if any(getattr(old, field) != getattr(new, field) for field in self._fields):
            self.found.emit(new)


class PlaygroundBase(QObject):
    """Owns the immutable `State`, the engine runner and the session store, and forwards their signals."""

    changed = Signal(object, object)
    """The old State and the new one."""
    advanced = Signal(object)
    """A Frame of the active run."""
    prompt_read = Signal(object)
    """PromptEvent, with the exact prompt of the active run."""
    measured = Signal(object)
    """Memory outside of a run."""
    finished = Signal(object)
    """The Run, after its last Frame."""
    resumed = Signal(object, object)
    """The session of the active run is displayed again: a Frame of all until now without tokens, and the Curve."""
    advanced_elsewhere = Signal(object)
    """A Frame of the active run while another session is displayed."""
    finished_elsewhere = Signal(object)
    """The Run that ended while another session was displayed."""
    replay_advanced = Signal(object)
    """A Frame of a replay, for the instruments but not for the page."""
    replayed = Signal(object)
    """The Run of a replay."""
    prefill_advanced = Signal(object)
    """Prefill: the progress of `score_tokens`."""
    tokens_scored = Signal(object)
    """The result of `score_tokens`: TokenScores, Cancellation or a Failure."""
    inspected = Signal(object)
    """The result of an inspection, as the worker's method returns it; Stopped or a Failure."""
    speed_measured = Signal(object)
    """The result of `measure_speed`; Cancellation or a Failure."""
    failed = Signal(object)
    """A Failure, which also stays in the state until it is dismissed."""

    def __init__(
        self,
        factory: EngineFactory,
        now: Callable[[], float] | None = None,
        opener: Opener | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = State()
        self._undelivered: deque[tuple[State, State]] = deque()
        self._next_load: LoadRequest | None = None
        self._loaded: Model | None = None
        """A model that was loaded before the session database was open; used when that is open."""
        self.book = SessionStore(opener, self)
        self.book.journal_changed.connect(self._on_journal_changed)
        self.traces = Traces(self.book, self)
        self.shown = DisplayedRunTracker(self.book, self)
        self.inspection_results = InspectionResults()
        self._runner = Runner(factory, self.book.tap, now or time.monotonic, self)
        self._worker = self._runner.worker
        self._runner.events_arrived.connect(self._on_events)
        self._runner.settled.connect(self._on_load_ended)
        self._runner.advanced.connect(self._on_advanced)
        self._runner.ended.connect(self._on_ended)
        self._worker.failed.connect(self._on_failed, Qt.ConnectionType.QueuedConnection)
        self.playback = Playback(self.shown, self.traces, self.book, now or time.monotonic, self)
        self.tasks = Tasks(self)
        """Tasks that await the engine. They are cancelled before its thread ends."""
        self.tuning = Tuning()
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(partial(self._runner.order, self._worker.save))
        self.book.ready.connect(self._on_ready)
        self._pass: StopFlag | None = None
        """Stop flag of a running pass outside of runs, such as scoring a prompt; None if none is running."""
        self.experiment_runner = ExperimentRunner(self._runner, self.book, self)
        self.evaluation_runner = EvaluationRunner(self._runner, self.book, self)
        self.preview = Preview(self._runner, lambda: self._state, self.tasks, self)

    @property
    def state(self) -> State:
        return self._state

    def follow(self, fields: Sequence[str], slot: Callable[..., object], at_once: bool = False) -> None:
        """Call `slot` with the new State when one of these fields or properties changes. `at_once`: also now."""
        change = FieldChange(fields, self)
        self.changed.connect(change.compare)
        change.found.connect(slot)
        if at_once:
            change.found.emit(self._state)

    @property
    def request(self) -> Request | None:
        """The request of the active run; None without one."""
        return self._runner.current.request if self._runner.current is not None else None

    def open(self) -> None:
        """Start the engine thread. Called when the window is shown, since it imports the heavy libraries.

        The session store is opened first: it imports modules on this thread, and would otherwise compete for the GIL.
        """
        self.book.open()
        self._runner.open()

    def close(self, until: float | None = None) -> bool:
        """Stop in any phase, and wait for the threads until this time.

        Return whether the journal was written in time.
        """
        until = deadline() if until is None else until
        self._idle.stop()
        for part in (self._cancel, self.playback.leave, self.tasks.close, partial(self._runner.close, until)):
            guarded(part, None)
        written = guarded(partial(self.book.close, until), False)
        QCoreApplication.removePostedEvents(self, QEvent.Type.MetaCall)
        return written

    @property
    def stalled(self) -> bool:
        """After `close`: whether a library blocks the engine thread, which would prevent the process from ending."""
        return self._runner.is_running

    def load(self, request: LoadRequest) -> bool:
        """Open a model. A load that is still running is cancelled first."""
        if not self._allowed(LOADABLE):
            return False
        if self._runner.is_loading:
            self._next_load = request
            self._runner.request_stop()
            return True
        self._start_load(request)
        return True

    def _start_load(self, request: LoadRequest) -> None:
        self._loaded = None
        # Called before the change: one of its listeners may close the playground.
        self._runner.load(request)
        self._change(phase=Phase.LOADING, wanted=request.model, loading=None, failure=None)

    def unload(self) -> bool:
        if not self._allowed(READY):
            return False
        self._unload()
        return True

    def _unload(self) -> None:
        self._runner.order(self._worker.unload)
        self._change(phase=Phase.STOPPING)

    def stop(self) -> bool:
        """Stop the load, run, job or playback. Generated text stays."""
        if self.shown.now.slowed:
            self.shown.watch(0)
            return True
        if not self._allowed(STOPPABLE):
            return False
        if self._loaded is not None:
            self._loaded = None
            self._unload()
            return True
        self._runner.request_stop()
        self._cancel()
        self._change(phase=Phase.STOPPING, is_queue_held=bool(self._state.queue))
        return True

    def _cancel(self) -> None:
        self._next_load = None
        self.preview.cancel()
        if self._pass is not None:
            self._pass.ask()

    def tune(self, tuning: Tuning) -> None:
        """Apply these limits after the active run."""
        self.tuning = tuning
        self._runner.order(self._worker.tune, tuning)

    def _on_ready(self) -> None:
        self._delete_orphaned_caches()
        loaded, self._loaded = self._loaded, None
        if loaded is not None:
            self._on_load_ended(loaded)

    def _delete_orphaned_caches(self) -> None:
        journal, folder = self.book.journal, self.tuning.saved_to
        if folder and journal is not None and journal.folder is not None:
            for session in saved_sessions(Path(folder)):
                if journal.sessions.get(session) is None:
                    self._runner.order(self._worker.forget, session)

    def set_pace(self, frame_ms: int) -> None:
        """Set the frame interval. Frames that take much CPU time are still rarer."""
        self._runner.clock.frame_ms = frame_ms

    async def render_prompts(self, work: Callable[[RenderPrompt], Value]) -> Value:
        """Run `work` on the engine thread with a function that renders prompts. It must be short."""
        return await self._runner.answer(work, self._worker.tokenize)

    def score_tokens(self, ids: tuple[int, ...]) -> bool:
        """Score each token of a prompt in one pass, without changing the conversation or its KV cache."""
        strength = self._state.controls.sampling.adapter_strength
        return self._start_pass(
            partial(self._worker.run_job, ScoreTokens(TokenPrompt(ids), strength)), self.tokens_scored
        )

    def _start_pass(self, ask: Callable[[StopFlag], object], done: SignalInstance) -> bool:
        if not self._allowed(READY):
            return False
        self.tasks.start(self._run_pass(ask, done))
        self._change(phase=Phase.PREFILLING, is_scoring=True, failure=None)
        return True

    async def _run_pass(self, ask: Callable[[StopFlag], object], done: SignalInstance) -> None:
        flag = self._pass = StopFlag()
        outcome = await self._runner.answer(ask, flag)
        # Pending Prefill events must not reach the next run.
        self._runner.emit_pending()
        self._pass = None
        failure = outcome if isinstance(outcome, Failure) else None
        self._change(phase=Phase.READY, is_scoring=False, failure=failure)
        done.emit(outcome)
        if failure is not None:
            self.failed.emit(failure)

    def measure_perplexity(
        self, weighing: PerplexityMeasurement | CacheMeasurement, done: Callable[[object], None]
    ) -> bool:
        """Start or continue a perplexity measurement. Other models that it opens are closed again.

        `done` gets the outcome: None, Failure or Cancellation.
        """
        ask = partial(self._worker.measure_perplexity, weighing)
        return self._start_work(ask, done, tr("Perplexity measurement"))

    def measure_speed(self, work: Measure, done: Callable[[object], None] | None = None) -> bool:
        """Measure the speed of the open model, outside of the conversation.

        `done` gets the result instead of the listeners of `speed_measured`.
        """
        ask = partial(self._worker.measure_speed, work)
        return self._start_work(ask, done or self.speed_measured.emit, tr("Speed measurement"))

    def study(self, study: Evaluation, from_start: bool = False) -> bool:
        """Run an evaluation. Stored answers are reused, unless `from_start`. `evaluation_runner` reports progress."""
        if not self._allowed(READY):
            return False
        ask = partial(self._worker.conduct, self.evaluation_runner.order(study, from_start))
        return self._start_work(ask, self.evaluation_runner.finish, study.title)

    def experiment(self, plan: Plan) -> bool:
        """Run an experiment outside of the conversation. `experiment_runner` reports its progress."""
        model = self._state.model
        if not self._allowed(READY) or model is None:
            return False
        ask = partial(self._worker.conduct, self.experiment_runner.order(plan, model))
        return self._start_work(ask, self.experiment_runner.finish, plan.title)

    def rerun(self, load: LoadRequest, request: Request, done: Callable[[object], None]) -> bool:
        """Run a request outside of the conversation on a model that is opened only for this run.

        `done` gets its RunResult, or a Failure.
        """
        from app.experiments.run import rerun

        ask = partial(self._worker.conduct, partial(rerun, load, request))
        return self._start_work(ask, done, tr("Rerun"))

    def _start_work(self, ask: Work, done: Callable[[object], None], title: str) -> bool:
        model = self._state.model
        if not self._allowed(READY) or model is None:
            return False
        self.tasks.start(self._work(ask, done, model))
        self._change(phase=Phase.PREFILLING, experiment=title, failure=None)
        return True

    async def _work(self, ask: Work, done: Callable[[object], None], before: Model) -> None:
        flag = self._pass = StopFlag()
        outcome, opened = await self._runner.answer(ask, flag)
        self._runner.emit_pending()
        self._pass = None
        if opened is not None and opened.opened_by == before.opened_by:
            self._change(phase=Phase.READY, loading=None, experiment="")
        else:
            # The previous model did fit, so it is opened without a check of the free memory.
            reopen = replace(before.opened_by, anyway=True)
            self._runner.load(reopen)
            self._change(phase=Phase.LOADING, wanted=reopen.model, loading=None, experiment="")
        done(outcome)

    async def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        """Return the text that each token adds. Waits for the end of an active run."""
        return await self._runner.answer(self._worker.token_texts, source)

    async def tokenize(self, source: PromptSource) -> ExactPrompt | Failure:
        """Return the token ids of a text, or the text of token ids. Waits for the end of an active run."""
        return await self._runner.answer(self._worker.tokenize, source)

    def dismiss_failure(self) -> bool:
        self._change(failure=None)
        return True

    def show_failure(self, failure: Failure) -> None:
        self._on_failed(failure)

    def _allowed(self, phases: frozenset[Phase]) -> bool:
        """Return whether a command is allowed in the current phase. Only checked here."""
        reading = bool(self._state.opening) and phases <= SETTLED
        return self._state.phase in phases and self._runner.is_running and not reading

    def _change(self, **changes: object) -> None:
        self._set_state(replace(self._state, **changes))  # type: ignore[arg-type]

    def _set_state(self, state: State) -> None:
        old = self._state
        if state == old:
            return
        if state.phase is not old.phase or state.turns is not old.turns:
            self.shown.watch(0)  # before the page changes
        self._state = state
        # Frames are needed only while something runs.
        (self._runner.clock.start if self._state.phase in BUSY else self._runner.clock.stop)()
        if state.phase is not old.phase:
            (self._idle.start if state.phase is Phase.READY and self.tuning.saved_bytes else self._idle.stop)()
        self.preview.allow(self._state.phase is Phase.READY)
        self._undelivered.append((old, state))
        if len(self._undelivered) == 1:
            self._deliver_changes()

    def _deliver_changes(self) -> None:
        """Emit changes in order: a listener may cause another change, which the other listeners must not get first."""
        while self._undelivered:
            self.changed.emit(*self._undelivered[0])
            self.shown.follow(*self._undelivered[0])
            self._undelivered.popleft()

    def _on_events(self, events: list[object]) -> None:
        for event in events:
            if isinstance(event, Loading):
                self._change(loading=event)
            elif isinstance(event, Memory):
                self.measured.emit(event)
            elif isinstance(event, Prefill) and self._pass is not None:
                self.prefill_advanced.emit(event)

    def _on_load_ended(self, model: Model | None) -> None:
        """Show the loaded model. It can be used when the session database is open."""
        waits = model is not None and self.book.is_opening
        if model is not None and not waits:
            self.book.models.look_at(model)
        if not waits:
            self._change(phase=Phase.EMPTY if model is None else Phase.READY, model=model, loading=None)
        if self._next_load is not None:
            request, self._next_load = self._next_load, None
            self._start_load(request)
        elif waits:
            self._loaded = model

    def _on_advanced(self, current: ActiveRun, frame: Frame) -> None:
        if frame.tokens and self._state.phase is Phase.PREFILLING:
            self._change(phase=Phase.GENERATING)
        if current.is_replay:
            self.replay_advanced.emit(frame)
        else:
            self._forward(frame)

    def _forward(self, frame: Frame) -> None:
        self.traces.advance(frame)
        if self._state.elsewhere is not None:
            self.advanced_elsewhere.emit(frame)
            if frame.memory is not None:
                self.measured.emit(frame.memory)
            return
        self.advanced.emit(frame)
        if frame.prompted is not None:
            self.prompt_read.emit(frame.prompted)

    def _resume(self) -> None:
        """Emit all frames until now as one, for the page that is displayed again."""
        assert self._runner.current is not None
        frame, curve = self._runner.current.so_far(self._runner.now())
        self.resumed.emit(frame, curve)
        if frame.prompted is not None:
            self.prompt_read.emit(frame.prompted)

    def _on_ended(self, current: ActiveRun, frame: Frame, run: Run) -> None:
        """Emit the last frame before the result."""
        if current.is_replay:
            self.replay_advanced.emit(frame)
            self._change(phase=Phase.READY)
            self.shown.end_replay(run)
            self.replayed.emit(run)
        else:
            self._conclude(frame, run)

    def _conclude(self, frame: Frame, run: Run) -> None:
        self._forward(frame)
        self.traces.finish(run.finish)
        state, failure, page = self._state, run.finish.failure, self._state.elsewhere
        turns = conversation.with_run(state.turns if page is None else page.turns, run)
        is_cut = failure is not None or bool(conversation.waiting_calls(turns))
        held = bool(state.queue) and (state.is_queue_held or is_cut)
        if page is None:
            self._change(phase=Phase.READY, turns=turns, failure=failure, is_queue_held=held)
            self.finished.emit(run)
        else:
            page = replace(page, turns=turns)
            inactive = page if state.inactive.session == page.session else state.inactive
            opened = page if state.opening == page.session else None  # it may have been read before the end
            failure = self._in_session(failure, page.session)
            self._change(phase=Phase.READY, elsewhere=opened, inactive=inactive, failure=failure, is_queue_held=held)
            self.finished_elsewhere.emit(run)
        if failure is not None:
            self.failed.emit(failure)

    def _in_session(self, failure: Failure | None, session: SessionId) -> Failure | None:
        """Return the failure with the title of its session, which isn't displayed."""
        if failure is None:
            return None
        return replace(failure, what=tr("“{title}”: {what}").format(title=self.book.title(session), what=failure.what))

    def _on_journal_changed(self, change: JournalChange) -> None:
        if change is JournalChange.SESSIONS:
            state = self._state
            elsewhere = state.elsewhere and self._with_title(state.elsewhere)
            inactive, title = self._with_title(state.inactive), self.book.title(state.session)
            self._change(title=title, elsewhere=elsewhere, inactive=inactive)

    def _with_title(self, page: Conversation) -> Conversation:
        return replace(page, title=self.book.title(page.session))

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._change(failure=failure)
        self.failed.emit(failure)
