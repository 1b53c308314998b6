"""What the playground stands on: the one state, the engine and the book, and what they say of themselves."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal, SignalInstance, Slot

from app.bridge import conversation
from app.bridge.active_run import ActiveRun
from app.bridge.displayed_run_tracker import DisplayedRunTracker
from app.bridge.playback import Playback
from app.bridge.preview import Preview
from app.bridge.runner import Runner
from app.bridge.session_store import Opener, SessionStore
from app.bridge.study_runners import EvaluationRunner, ExperimentRunner
from app.bridge.tasks import Tasks
from app.bridge.traces import Traces
from app.bridge.worker import EngineFactory, Measure
from app.engine.jobs import ScoreTokens
from app.engine.meter.frame import Frame
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
from app.platform.shutdown import guarded, moment
from app.records.inspection_results import InspectionResults
from app.records.types import JournalChange
from app.state import BUSY, LOADABLE, READY, SETTLED, STOPPABLE, Phase, Run, State

if TYPE_CHECKING:
    from app.evaluation.types import Evaluation
    from app.experiments.types import Plan
    from app.perplexity.measuring import PerplexityMeasurement


IDLE_MS = 20_000
"""So long nothing has to go on until caches are written to the disk."""

Value = TypeVar("Value")
Foresee = Callable[[Request], ExactPrompt | Failure]
Work = Callable[[StopFlag], tuple[object, Model | None]]
"""What came of it, and the model that is open after it."""


class Stage(QObject):
    """Holds the one `State`, the runner and the book, and hears what they say."""

    changed = Signal(object, object)
    """The old State and the new one."""
    advanced = Signal(object)
    """A Frame of the run that is going on."""
    prompt_read = Signal(object)
    """Prompted: what the engine reads in the run that has begun, once it is known."""
    measured = Signal(object)
    """Memory, told outside of a run."""
    finished = Signal(object)
    """The Run; its last tokens have been shown before."""
    replay_advanced = Signal(object)
    """A Frame of a replay: for the instruments, not for the page."""
    replayed = Signal(object)
    """The Run that a replay was."""
    weighing = Signal(object)
    """Prefill: how far `weigh` has come."""
    weighed = Signal(object)
    """The answer to `weigh`: Weighed, or Stopped or a Failure."""
    looked = Signal(object)
    """What a look inside found, as the worker's method for it tells; or Stopped or a Failure."""
    text_weighed = Signal(object)
    """How `weigh_text` ended: None where all is done, else Stopped or a Failure."""
    speed_measured = Signal(object)
    """What `measure_speed` came to; Stopped or a Failure."""
    failed = Signal(object)
    """A Failure, also found in the state until it is dismissed."""

    def __init__(
        self,
        factory: EngineFactory,
        now: Callable[[], float] | None = None,
        opener: Opener | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = State()
        self._untold: deque[tuple[State, State]] = deque()
        self._next_load: LoadRequest | None = None
        self._loaded: Model | None = None
        """A model that was loaded before the session database was open: it is used as soon as that is."""
        self.book = SessionStore(opener, self)
        self.book.told.connect(self._on_told)
        self.traces = Traces(self.book, self)
        self.shown = DisplayedRunTracker(self.book, self)
        self.looks = InspectionResults()
        self._runner = Runner(factory, self.book.tap, now or time.monotonic, self)
        self._worker = self._runner.engine.worker
        self._runner.told.connect(self._on_event)
        self._runner.settled.connect(self._on_settled)
        self._runner.advanced.connect(self._on_advanced)
        self._runner.ended.connect(self._on_ended)
        self._worker.failed.connect(self._on_failed, Qt.ConnectionType.QueuedConnection)
        self.watching = Playback(self.shown, self.traces, self.book, now or time.monotonic, self)
        self.tasks = Tasks(self)
        """Of whoever awaits an answer of the engine's: they end before its thread does."""
        self._tuning = Tuning()
        self._idle = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._idle.timeout.connect(partial(self._runner.engine.order, self._worker.save))
        self.book.ready.connect(self._on_ready)
        self._pass: StopFlag | None = None
        """Of the prompt that is being weighed."""
        self.experimenting = ExperimentRunner(self._runner, self.book, self)
        self.studying = EvaluationRunner(self._runner, self.book, self)
        self.preview = Preview(self._runner.engine, lambda: self._state, self.tasks, self)

    @property
    def state(self) -> State:
        return self._state

    @property
    def request(self) -> Request | None:
        """What is asked of the model in the run that goes on; None: none does."""
        return self._runner.current.request if self._runner.current is not None else None

    def open(self) -> None:
        """Start the thread and the engine on it: once the window is up, since that imports the heavy libraries.

        Last, since the book imports something too, on this thread, and would have to share the interpreter.
        """
        self.book.open()
        self._runner.open()

    def close(self, until: float | None = None) -> bool:
        """Leave in any phase: what goes on is asked to end, and waited for until this moment.

        Return whether the journal was written before that moment.
        """
        until = moment() if until is None else until
        self._idle.stop()
        for part in (
            self._call_off,
            self.watching.leave,
            self.tasks.close,
            partial(self._runner.close, until),
        ):
            guarded(part, None)
        written = guarded(partial(self.book.close, until), False)
        QCoreApplication.removePostedEvents(self, QEvent.Type.MetaCall)
        return written

    @property
    def stalled(self) -> bool:
        """After `close`: a library keeps the engine's thread, and would keep the process with it."""
        return self._runner.engine.running

    def load(self, request: LoadRequest) -> bool:
        """Open a model. During another load that one is called off first."""
        if not self._allowed(LOADABLE):
            return False
        if self._state.phase is Phase.LOADING and self._loaded is None:
            self._next_load = request
            self._runner.ask()
            return True
        self._start_load(request)
        return True

    def unload(self) -> bool:
        """Let the model go."""
        if not self._allowed(READY):
            return False
        self._unload()
        return True

    def _unload(self) -> None:
        self._runner.engine.order(self._worker.unload)
        self._change(phase=Phase.STOPPING)

    def stop(self) -> bool:
        """End what is going on; what was written stays. Watching a run again goes on too."""
        if self.shown.now.slowed:
            self.shown.watch(0)
            return True
        if not self._allowed(STOPPABLE):
            return False
        if self._loaded is not None:
            self._loaded = None
            self._unload()
            return True
        self._runner.ask()
        self._call_off()
        self._change(phase=Phase.STOPPING)
        return True

    def _call_off(self) -> None:
        self._next_load = None
        self.preview.call_off()
        if self._pass is not None:
            self._pass.ask()

    def tune(self, tuning: Tuning) -> None:
        """Hold the engine to this, as soon as nothing goes on."""
        self._tuning = tuning
        self._runner.engine.order(self._worker.tune, tuning)

    @Slot()
    def _on_ready(self) -> None:
        """The session database is open."""
        self._forget_gone()
        loaded, self._loaded = self._loaded, None
        if loaded is not None:
            self._on_settled(loaded)

    def _forget_gone(self) -> None:
        """Sessions that went while the program was not there to hear of it: what was saved of them goes too."""
        journal, folder = self.book.journal, self._tuning.saved_to
        if folder and journal is not None and journal.folder is not None:
            for session in saved_sessions(Path(folder)):
                if journal.sessions.get(session) is None:
                    self._runner.engine.order(self._worker.forget, session)

    def set_pace(self, frame_ms: int) -> None:
        """Frames come so often from now on, unless they take too long."""
        self._runner.clock.set_pace(frame_ms)

    async def foreseeing(self, work: Callable[[Foresee], Value]) -> Value:
        """What `work` makes of prompts as they would go out: on the engine's thread, so a little at a time."""
        return await self._runner.engine.answer(work, lambda request: self._worker.foresee(request, StopFlag())[0])

    def weigh(self, ids: tuple[int, ...]) -> bool:
        """Tell how surprising each token of a prompt is: one pass, after which all is as it was."""
        strength = self._state.controls.sampling.adapter_strength
        return self._begin_pass(partial(self._worker.run_job, ScoreTokens(TokenPrompt(ids), strength)), self.weighed)

    def _begin_pass(self, ask: Callable[[StopFlag], object], told: SignalInstance) -> bool:
        """Something is read beside the conversation, after which all is as it was."""
        if not self._allowed(READY):
            return False
        self.tasks.start(self._pass_over(ask, told))
        self._change(phase=Phase.PREFILLING, weighing=True, failure=None)
        return True

    async def _pass_over(self, ask: Callable[[StopFlag], object], told: SignalInstance) -> None:
        flag = self._pass = StopFlag()
        outcome = await self._runner.engine.answer(ask, flag)
        # What was told on the way must not be left for the next run to find.
        self._runner.tell()
        self._pass = None
        failure = outcome if isinstance(outcome, Failure) else None
        self._change(phase=Phase.READY, weighing=False, failure=failure)
        told.emit(outcome)
        if failure is not None:
            self.failed.emit(failure)

    def weigh_text(self, weighing: PerplexityMeasurement) -> bool:
        """Weigh a text, or go on with it; what other models it opens go again."""
        ask = partial(self._worker.weigh_text, weighing)
        return self._begin_work(ask, self.text_weighed.emit, tr("A text, weighed"))

    def measure_speed(self, work: Measure) -> bool:
        """Measure something of the open model, beside the conversation."""
        ask = partial(self._worker.measure_speed, work)
        return self._begin_work(ask, self.speed_measured.emit, tr("Speed, measured"))

    def study(self, study: Evaluation, anew: bool = False) -> bool:
        """Ask the rows of a prompt set; what the journal has of it is gone on from, unless `anew`. See `studying`."""
        if not self._allowed(READY):
            return False
        ask = partial(self._worker.conduct, self.studying.order(study, anew))
        return self._begin_work(ask, self.studying.finish, study.title)

    def experiment(self, plan: Plan) -> bool:
        """Run an experiment beside the conversation. See `experimenting` for its signals."""
        model = self._state.model
        if not self._allowed(READY) or model is None:
            return False
        ask = partial(self._worker.conduct, self.experimenting.order(plan, model))
        return self._begin_work(ask, self.experimenting.finish, plan.title)

    def _begin_work(self, ask: Work, told: Callable[[object], None], title: str) -> bool:
        model = self._state.model
        if not self._allowed(READY) or model is None:
            return False
        self.tasks.start(self._work(ask, told, model))
        self._change(phase=Phase.PREFILLING, experiment=title, failure=None)
        return True

    async def _work(self, ask: Work, told: Callable[[object], None], before: Model) -> None:
        flag = self._pass = StopFlag()
        outcome, opened = await self._runner.engine.answer(ask, flag)
        self._runner.tell()
        self._pass = None
        if opened is not None and opened.opened_by == before.opened_by:
            self._change(phase=Phase.READY, loading=None, experiment="")
        else:
            # The model from before fitted then, so it is opened whatever memory is free now.
            reopen = replace(before.opened_by, anyway=True)
            self._runner.load(reopen)
            self._change(phase=Phase.LOADING, wanted=reopen.model, loading=None, experiment="")
        told(outcome)

    async def taken_apart(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        """Each token of a text with what it adds. During a run the answer comes when that is over."""
        engine = self._runner.engine
        return await engine.answer(engine.worker.take_apart, source)

    async def spelled(self, source: PromptSource) -> ExactPrompt | Failure:
        """Which tokens a text is, or which text tokens are. During a run the answer comes when that is over."""
        engine = self._runner.engine
        return await engine.answer(engine.worker.spell, source)

    def dismiss_failure(self) -> bool:
        """The failure has been read."""
        self._change(failure=None)
        return True

    def show_failure(self, failure: Failure) -> None:
        """What went wrong beside the engine, in a task."""
        self._on_failed(failure)

    def _allowed(self, phases: frozenset[Phase]) -> bool:
        """The one place where intents that don't fit the phase are refused."""
        reading = bool(self._state.opening) and phases <= SETTLED
        return self._state.phase in phases and self._runner.engine.running and not reading

    def _start_load(self, request: LoadRequest) -> None:
        self._loaded = None
        # Asked for first: whoever hears of the change may close the playground there and then.
        self._runner.load(request)
        self._change(phase=Phase.LOADING, wanted=request.model, loading=None, failure=None)

    def _change(self, **changes: object) -> None:
        self._put(replace(self._state, **changes))  # type: ignore[arg-type]

    def _put(self, state: State) -> None:
        old = self._state
        if state == old:
            return
        if state.phase is not old.phase or state.turns is not old.turns:
            self.shown.watch(0)  # while the page is the one that it was begun on
        self._state = state
        # Frames come while something goes on, and at no other time.
        (self._runner.clock.start if self._state.phase in BUSY else self._runner.clock.stop)()
        if state.phase is not old.phase:
            (self._idle.start if state.phase is Phase.READY and self._tuning.saved_bytes else self._idle.stop)()
        self.preview.allow(self._state.phase is Phase.READY)
        self._untold.append((old, state))
        if len(self._untold) == 1:
            self._tell_changes()

    def _tell_changes(self) -> None:
        """In their order: whoever hears of a change may make the next one, of which others must not hear before."""
        while self._untold:
            self.changed.emit(*self._untold[0])
            self.shown.follow(*self._untold[0])
            self._untold.popleft()

    @Slot(object)
    def _on_event(self, event: object) -> None:
        """What comes outside of a run."""
        if isinstance(event, Loading):
            self._change(loading=event)
        elif isinstance(event, Memory):
            self.measured.emit(event)
        elif isinstance(event, Prefill) and self._pass is not None:
            self.weighing.emit(event)

    @Slot(object)
    def _on_settled(self, model: Model | None) -> None:
        """A load or an unload is over, and this is what is open now. It is ready once the session database is open."""
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

    @Slot(object, object)
    def _on_advanced(self, current: ActiveRun, frame: Frame) -> None:
        if frame.tokens and self._state.phase is Phase.PREFILLING:
            self._change(phase=Phase.GENERATING)
        if current.aside:
            self.replay_advanced.emit(frame)
        else:
            self._tell(frame)

    def _tell(self, frame: Frame) -> None:
        """What came of a run of the conversation."""
        self.traces.advance(frame)
        self.advanced.emit(frame)
        if frame.prompted is not None:
            self.prompt_read.emit(frame.prompted)

    @Slot(object, object, object)
    def _on_ended(self, current: ActiveRun, frame: Frame, run: Run) -> None:
        """The last tokens are shown before the last word is said."""
        if current.aside:
            self.replay_advanced.emit(frame)
            self._change(phase=Phase.READY)
            self.shown.end_replay(run)
            self.replayed.emit(run)
        else:
            self._conclude(frame, run)

    def _conclude(self, frame: Frame, run: Run) -> None:
        """A run of the conversation is over."""
        failure = run.finish.failure
        self._tell(frame)
        self.traces.finish(run.finish)
        turns = conversation.with_run(self._state.turns, run)
        self._change(phase=Phase.READY, turns=turns, failure=failure)
        self.finished.emit(run)
        if failure is not None:
            self.failed.emit(failure)

    @Slot(object)
    def _on_told(self, change: JournalChange) -> None:
        if change is JournalChange.SESSIONS:
            self._change(title=self.book.title(self._state.session))

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._change(failure=failure)
        self.failed.emit(failure)
