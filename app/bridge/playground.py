"""The playground: the one object that the window talks to. Intents go in, states, frames and runs come out."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from app.bridge import branches, conversation, forks
from app.bridge.book import Book, Opener
from app.bridge.conversation import Turns
from app.bridge.current import CurrentRun
from app.bridge.experimenting import Experimenting
from app.bridge.preview import Preview
from app.bridge.recording import controls_of
from app.bridge.runner import Runner
from app.bridge.state import BUSY, STOPPABLE, Controls, Mode, Past, Phase, Run, Shelf, State
from app.bridge.traces import Traces
from app.bridge.weighing import Weighing
from app.bridge.worker import EngineFactory
from app.engine.frame import Frame
from app.engine.types import (
    Failure,
    Loading,
    LoadRequest,
    Memory,
    Model,
    PromptSource,
    Request,
    Sampling,
    Stopped,
    Weighed,
)
from app.experiments.types import Plan
from app.records.types import Change, Session, SessionId, TurnId

SEED_RANGE = 2**31

LOADABLE = frozenset({Phase.EMPTY, Phase.READY, Phase.LOADING})
SETTLED = frozenset({Phase.EMPTY, Phase.READY})
READY = frozenset({Phase.READY})


class Playground(QObject):
    """Holds the one `State`, the runner and the book. Every intent says whether it was taken."""

    changed = Signal(object, object)
    """The old State and the new one."""
    advanced = Signal(object)
    """A Frame of the run that is going on."""
    measured = Signal(object)
    """Memory, told outside of a run."""
    finished = Signal(object)
    """The Run; its last tokens have been shown before."""
    replay_advanced = Signal(object)
    """A Frame of a replay: for the instruments, not for the page."""
    replayed = Signal(object)
    """The Run that a replay was."""
    spelled = Signal(object, object)
    """The answer to `spell`: what was asked, and the ExactPrompt or the Failure."""
    weighed = Signal(object)
    """The answer to `weigh`: Weighed, or Stopped or a Failure."""
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
        self._next_load: LoadRequest | None = None
        self.book = Book(opener, self)
        self.book.came.connect(self._on_session)
        self.book.moved.connect(self._on_moved)
        self.book.told.connect(self._on_told)
        self.traces = Traces(self.book, self)
        self._runner = Runner(factory, self.book.tap, now or time.monotonic, self)
        self._runner.told.connect(self._on_event)
        self._runner.settled.connect(self._on_settled)
        self._runner.advanced.connect(self._on_advanced)
        self._runner.ended.connect(self._on_ended)
        self._runner.spelled.connect(self.spelled)
        self._runner.failed.connect(self._on_failed)
        self.weighing = Weighing(self._runner, self)
        self.weighing.ended.connect(self._on_weighed)
        self.experimenting = Experimenting(self._runner, self.book, self)
        self.experimenting.over.connect(self._on_experimented)
        self.preview = Preview(self._runner.engine, lambda: self._state, self)

    @property
    def state(self) -> State:
        return self._state

    @property
    def request(self) -> Request | None:
        """What is asked of the model in the run that goes on; None: none does."""
        return self._runner.current.request if self._runner.current is not None else None

    def open(self) -> None:
        """Start the thread and the engine on it: once the window is up, since that imports the heavy libraries."""
        self._runner.open()
        self.book.open()

    def close(self) -> None:
        """Leave in any phase: what goes on is asked to end, and waited for."""
        self._next_load = None
        self.preview.allow(False)
        self.weighing.ask()
        self.experimenting.ask()
        self._runner.close()
        self.weighing.close()
        self.experimenting.close()
        self.book.close()
        QCoreApplication.removePostedEvents(self.preview)

    def load(self, request: LoadRequest) -> bool:
        """Open a model. During another load that one is called off first."""
        if not self._allowed(LOADABLE):
            return False
        if self._state.phase is Phase.LOADING:
            self._next_load = request
            self._runner.ask()
            return True
        self._start_load(request)
        return True

    def unload(self) -> bool:
        """Let the model go."""
        if not self._allowed(READY):
            return False
        self._runner.unload()
        self._change(phase=Phase.STOPPING)
        return True

    def send(self, text: str) -> bool:
        """Say something to the model."""
        turns, mode = self._state.turns, self._state.controls.mode
        if not self._allowed(READY) or not conversation.can_send(turns, text, mode):
            return False
        # A page that was sent before is not part of this one, so it can be brought back.
        undoable = self._past() if turns and mode is Mode.RAW else None
        return self._answer(conversation.with_user(turns, text, mode), undoable)

    def stop(self) -> bool:
        """End what is going on; what was written stays."""
        if not self._allowed(STOPPABLE):
            return False
        self._runner.ask()
        self.weighing.ask()
        self.experimenting.ask()
        self._change(phase=Phase.STOPPING)
        return True

    def continue_run(self) -> bool:
        """Go on with the last answer from the very ids it ended with."""
        run = self._state.last_run
        if not self._allowed(READY) or run is None or not conversation.can_continue(run):
            return False
        return self._start(conversation.continuation_of(run), conversation.reopened(self._state.turns))

    def regenerate(self, index: int | None = None) -> bool:
        """Write the answer at `index`, or the last one, anew; what follows it goes."""
        turns = self._state.turns
        index = len(turns) - 1 if index is None else index
        if not self._allowed(READY) or not conversation.is_answer(turns, index):
            return False
        return self._answer(turns[:index], undoable=self._past())

    def replay(self, request: Request) -> bool:
        """Run a request once more beside the conversation, which stays as it is."""
        if not self._allowed(READY):
            return False
        self._begin(request, aside=True)
        self._change(phase=Phase.PREFILLING, failure=None)
        return True

    def weigh(self, ids: tuple[int, ...]) -> bool:
        """Tell how surprising each token of a prompt is: one pass, after which all is as it was."""
        if not self._allowed(READY):
            return False
        self.weighing.begin(ids)
        self._change(phase=Phase.PREFILLING, weighing=True, failure=None)
        return True

    def experiment(self, plan: Plan) -> bool:
        """Answer a question by measuring, beside the conversation: `experimenting` tells how it goes."""
        model = self._state.model
        if not self._allowed(READY) or model is None:
            return False
        self.experimenting.begin(plan, model)
        self._change(phase=Phase.PREFILLING, experiment=plan.title, failure=None)
        return True

    def edit(self, index: int, text: str) -> bool:
        """Put other words into a turn. A question is asked anew, and what followed it goes."""
        turns = self._state.turns
        if not self._allowed(READY) or not 0 <= index < len(turns) or not text:
            return False
        new = conversation.edited(turns, index, text)
        if conversation.is_answer(new, index):
            self._keep(new, branches.put_aside(turns, new, self._state.others), self._past())
            return True
        return self._answer(new, undoable=self._past())

    def fork(self, index: int, place: int, ids: tuple[int, ...] | None = None, text: str | None = None) -> bool:
        """Go on with the answer at `index` from its token `place`, with others or with words put there instead."""
        turns, model = self._state.turns, self._state.model
        if not self._allowed(READY) or model is None or not conversation.is_answer(turns, index):
            return False
        answer, choice = turns[index], forks.Choice(ids or (), text or "")
        runs = [self.whole(run) for run in answer.runs]
        found = forks.forking(answer, runs, place, choice, model, self.traces.of(answer.id))
        if isinstance(found, Failure):
            self._on_failed(found)
            return False
        new = conversation.with_open_answer(turns[:index], found.fork)
        return self._start(found.prompt, new, self._past(), found.sampling)

    def switch(self, turn: TurnId) -> bool:
        """Show the conversation that has this turn in it, and what followed it last."""
        turns, others = self._state.turns, self._state.others
        way = branches.way_through(turns, others, turn)
        if not self._allowed(SETTLED) or way is None or way == turns:
            return False
        self._keep(way, branches.put_aside(turns, way, others), self._state.undoable)
        return True

    def delete(self, index: int) -> bool:
        """Take a turn out, and with a question its answer; `undo` brings them back."""
        turns = self._state.turns
        if not self._allowed(SETTLED) or not 0 <= index < len(turns):
            return False
        new = conversation.without(turns, index)
        gone = turns[index : index + len(turns) - len(new)]
        self._keep(new, branches.without(turns, self._state.others, gone), self._past())
        return True

    def undo(self) -> bool:
        """Bring back the turns as they were before the last deletion or edit."""
        past = self._state.undoable
        if not self._allowed(SETTLED) or past is None:
            return False
        self._keep(past.turns, branches.gone_back(past, self._state.turns, self._state.others))
        return True

    def new_session(self) -> bool:
        """Begin with an empty page; the session that was open stays as it is."""
        if not self._allowed(LOADABLE) or not (self._state.session or self._state.turns):
            return False
        self.book.leave()
        self._change(session=0, title="", opening=0, turns=(), others=(), undoable=None)
        return True

    def open_session(self, session: SessionId) -> bool:
        """Have a session read and shown. What is open stays until then; nothing can be sent meanwhile."""
        if not self._allowed(LOADABLE) or session == (self._state.opening or self._state.session):
            return False
        self._change(opening=session)
        self.book.read(session)
        return True

    def forget(self, session: SessionId) -> None:
        """It was deleted: nothing may be written into it any more."""
        if session == self._state.session:
            self.new_session()
        if session == self._state.shelf.session:
            self._change(shelf=Shelf())

    def keep_draft(self, text: str) -> None:
        """What is typed and not sent belongs to the session."""
        self._change(session=self.book.keep_draft(self._state.session, text, self._state.controls))

    def whole(self, run: Run) -> Run:
        """A run with its request, prompt, ids and text, where it was read without."""
        return self.book.whole(run)

    def set_controls(self, controls: Controls) -> bool:
        """Take effect with the next run. Each mode has its own session, so it can't change in the middle of a run."""
        switches = controls.mode is not self._state.controls.mode
        if switches and (self._runner.current is not None or self._state.opening):
            return False
        self._put(conversation.with_controls(self._state, controls))
        if switches:
            self.book.turn_to(self._past())
        return True

    def spell(self, source: PromptSource) -> bool:
        """Have a text told in tokens, or tokens in text. During a run the answer comes when it is over."""
        if self._state.model is None or not self._runner.open_for_orders:
            return False
        self._runner.spell(source)
        return True

    def dismiss_failure(self) -> bool:
        """The failure has been read."""
        self._change(failure=None)
        return True

    def _allowed(self, phases: frozenset[Phase]) -> bool:
        """The one place where intents that don't fit the phase are refused."""
        reading = bool(self._state.opening) and phases <= SETTLED
        return self._state.phase in phases and self._runner.open_for_orders and not reading

    def _start_load(self, request: LoadRequest) -> None:
        # Asked for first: whoever hears of the change may close the playground there and then.
        self._runner.load(request)
        self._change(phase=Phase.LOADING, wanted=request.model, loading=None, failure=None)

    def _answer(self, turns: Turns, undoable: Past | None = None) -> bool:
        assert self._state.model is not None
        prompt = conversation.prompt_of(turns, self._state.controls, self._state.model)
        return self._start(prompt, conversation.with_open_answer(turns), undoable)

    def _start(
        self, source: PromptSource, turns: Turns, undoable: Past | None = None, sampling: Sampling | None = None
    ) -> bool:
        """`sampling`, with its seed, is that of an earlier run; else it is as it was set."""
        model, controls = self._state.model, self._state.controls
        assert model is not None
        others = branches.put_aside(self._state.turns, turns, self._state.others)
        session, turns = self.book.keep(self._state.session, turns, others, controls)
        self.book.keep_controls(session, controls)
        asked = controls if sampling is None else replace(controls, sampling=sampling)
        seed = self._seed() if sampling is None else sampling.seed
        self._begin(conversation.request_for(source, asked, seed, model), session, turns)
        changes = {"session": session, "turns": turns, "others": others, "undoable": undoable}
        self._change(phase=Phase.PREFILLING, failure=None, **changes)
        return True

    def _begin(self, request: Request, session: SessionId = 0, turns: Turns = (), aside: bool = False) -> None:
        model = self._state.model
        assert model is not None
        current = CurrentRun(model, self._state.controls.mode, request, aside)
        if not aside:
            self.book.record(session, turns[-1], current, model)
            self.traces.begin(turns[-1], current.stop.made_at)
        self._runner.run(current)

    def _keep(self, turns: Turns, others: Turns, undoable: Past | None = None) -> None:
        """The conversation is another one now, with no run going on."""
        turns, controls = self.book.with_last_run(turns), self._state.controls
        session, turns = self.book.keep(self._state.session, turns, others, controls)
        self._change(session=session, turns=turns, others=others, undoable=undoable)

    def _past(self) -> Past:
        """The conversation as it is, to go back to."""
        return Past(self._state.turns, self._state.others)

    def _seed(self) -> int:
        fixed = self._state.controls.seed
        return secrets.randbelow(SEED_RANGE) if fixed is None else fixed

    def _change(self, **changes: object) -> None:
        self._put(replace(self._state, **changes))  # type: ignore[arg-type]

    def _put(self, state: State) -> None:
        old, self._state = self._state, state
        if self._state == old:
            return
        self._runner.tick(self._state.phase in BUSY)
        self.preview.allow(self._state.phase is Phase.READY)
        self.changed.emit(old, self._state)

    @Slot(object)
    def _on_event(self, event: Loading | Memory) -> None:
        """What comes outside of a run."""
        if isinstance(event, Loading):
            self._change(loading=event)
        elif isinstance(event, Memory):
            self.measured.emit(event)

    @Slot(object)
    def _on_settled(self, model: Model | None) -> None:
        """A load or an unload is over, and this is what is open now."""
        if model is not None:
            self.book.know(model)
        self._change(phase=Phase.EMPTY if model is None else Phase.READY, model=model, loading=None)
        if self._next_load is not None:
            request, self._next_load = self._next_load, None
            self._start_load(request)

    @Slot(object, object)
    def _on_advanced(self, current: CurrentRun, frame: Frame) -> None:
        if frame.tokens and self._state.phase is Phase.PREFILLING:
            self._change(phase=Phase.GENERATING)
        if current.aside:
            self.replay_advanced.emit(frame)
        else:
            self.traces.advance(frame)
            self.advanced.emit(frame)

    @Slot(object, object, object)
    def _on_ended(self, current: CurrentRun, frame: Frame, run: Run) -> None:
        """The last tokens are shown before the last word is said."""
        if current.aside:
            self.replay_advanced.emit(frame)
            self._change(phase=Phase.READY)
            self.replayed.emit(run)
        else:
            self._conclude(frame, run)

    def _conclude(self, frame: Frame, run: Run) -> None:
        """A run of the conversation is over."""
        failure = run.finish.failure
        self.traces.advance(frame)
        self.advanced.emit(frame)
        self.traces.finish(run.finish)
        turns = conversation.with_run(self._state.turns, run)
        self._change(phase=Phase.READY, turns=turns, failure=failure)
        self.finished.emit(run)
        if failure is not None:
            self.failed.emit(failure)
        self.book.settle()

    @Slot(object)
    def _on_weighed(self, outcome: Weighed | Failure | Stopped) -> None:
        failure = outcome if isinstance(outcome, Failure) else None
        self._change(phase=Phase.READY, weighing=False, failure=failure)
        self.weighed.emit(outcome)
        if failure is not None:
            self.failed.emit(failure)

    @Slot(object)
    def _on_experimented(self, reopen: LoadRequest | None) -> None:
        """An experiment may have opened other models: the one from before comes back."""
        if reopen is None:
            self._change(phase=Phase.READY, experiment="")
        else:
            self._runner.load(reopen)
            self._change(phase=Phase.LOADING, wanted=reopen.model, loading=None, experiment="")

    @Slot(object, object)
    def _on_session(self, session: Session | None, past: Past) -> None:
        """A session was read; one that is gone leaves the page as it is."""
        if session is None:
            self._change(opening=0)
            return
        controls = controls_of(session.settings)
        # What was open in the other mode stays there; this session takes the place of what was open in its own.
        switched = conversation.with_controls(self._state, controls)
        known = replace(switched, session=session.info.id, title=session.info.title, opening=0)
        self._put(replace(known, turns=past.turns, others=past.others, undoable=None))

    @Slot(object)
    def _on_moved(self, moved: dict[SessionId, SessionId]) -> None:
        """The same sessions have other numbers now."""
        self.traces.forget()
        shelf = self._state.shelf
        if shelf.session in moved:
            past = self.book.adopt(moved[shelf.session], Past(shelf.turns, shelf.others))
            self._change(shelf=Shelf(moved[shelf.session], shelf.title, past.turns, past.others))
            self.book.turn_to(self._past())
        session = moved.get(self._state.session, 0)
        if session:
            past = self.book.adopt(session, self._past())
            self._change(session=session, turns=past.turns, others=past.others, undoable=None)

    @Slot(object)
    def _on_told(self, change: Change) -> None:
        if change is Change.SESSIONS:
            self._change(title=self.book.title(self._state.session))

    @Slot(object)
    def _on_failed(self, failure: Failure) -> None:
        self._change(failure=failure)
        self.failed.emit(failure)
