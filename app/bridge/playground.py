"""The playground: the one object that the window talks to. Intents go in, states, frames and runs come out."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot

from app.bridge import branches, conversation, forks
from app.bridge.active_run import ActiveRun
from app.bridge.conversation import Turns
from app.bridge.forks import Reading
from app.bridge.playground_base import PlaygroundBase
from app.bridge.session_store import READING, Opener
from app.bridge.worker import EngineFactory
from app.controls import OBSERVED, Controls, Mode, clamped
from app.displayed_run import PlaybackSpeed
from app.engine.jobs import ReadAttention, ReadAttentionMatrix, ReadHiddenStates, ReadLens
from app.engine.protocol import FORGET_MEMORY, StopFlag
from app.engine.types import Failure, PromptSource, Request, Role, Sampling, TokenPrompt, Unit
from app.i18n import tr
from app.records.types import Outcome, Session, SessionId, TurnId
from app.state import LOADABLE, READY, SETTLED, ConversationSnapshot, InactiveMode, Phase, Run, Turn

Look = Callable[[StopFlag], object]
SEED_RANGE = 2**31
"""Of new seeds: short enough to be copied by hand."""


class Playground(PlaygroundBase):
    """What can be done with a conversation, and with a model in it. Every intent says whether it was taken."""

    def __init__(
        self,
        factory: EngineFactory,
        now: Callable[[], float] | None = None,
        opener: Opener | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(factory, now, opener, parent)
        self.book.came.connect(self._on_session)

    def send(self, text: str, asked: Controls | None = None) -> bool:
        """Say something to the model. `asked` counts for this run alone."""
        turns, mode = self._state.turns, self._state.controls.mode
        if not self._allowed(READY) or not conversation.can_send(turns, text, mode):
            return False
        # A page that was sent before is not part of this one, so it can be brought back.
        undoable = self._past() if turns and mode is Mode.RAW else None
        return self._start(conversation.with_user(turns, text, mode), undoable, asked=asked)

    def submit_tool_result(self, text: str) -> bool:
        """What a tool gave back that the model called; with the last of them it goes on."""
        turns = self._state.turns
        left = len(conversation.waiting_calls(turns))
        if not self._allowed(READY) or not left or not text:
            return False
        turns = (*turns, Turn(Role.TOOL, text))
        if left == 1:
            return self._start(turns)
        self._keep(turns, branches.put_aside(self._state.turns, turns, self._state.others))
        return True

    def continue_run(self) -> bool:
        """Go on with the last answer from the very ids it ended with; another model is sent the page as it stands."""
        run, turns, model = self._state.last_run, self._state.turns, self._state.model
        if not self._allowed(READY) or run is None or model is None or not conversation.can_continue(run):
            return False
        if what := conversation.foreign(run, model):
            if run.mode is Mode.RAW:
                return self.send(conversation.page_of(turns))
            todo = tr("Open {writer} to continue it, or regenerate it.").format(writer=run.model)
            self._on_failed(Failure(what, todo, kind="other model"))
            return False
        source = conversation.continuation_of(run, conversation.counts(self._state.controls))
        return self._start(conversation.reopened(turns), source=source)

    def regenerate(self, index: int | None = None) -> bool:
        """Write the answer at `index`, or the last one, anew; what follows it goes."""
        turns = self._state.turns
        index = len(turns) - 1 if index is None else index
        if not self._allowed(READY) or not conversation.is_answer(turns, index):
            return False
        return self._start(turns[:index], undoable=self._past())

    def watch(self, pace: PlaybackSpeed) -> bool:
        """Show the run that is shown once more, from when its tokens came; `stop` ends that, as a new run does."""
        shown = self.shown.now
        allowed = self._allowed(SETTLED) and 0 <= shown.index < len(self._state.turns)
        return allowed and self.watching.begin(self._state.turns[shown.index], pace)

    def replay(self, request: Request) -> bool:
        """Run a request once more beside the conversation, which stays as it is."""
        if not self._allowed(READY):
            return False
        model = self._state.model
        assert model is not None
        self._runner.run(ActiveRun(model, self._state.controls.mode, request, is_replay=True), None)
        self._change(phase=Phase.PREFILLING, failure=None)
        return True

    def edit(self, index: int, text: str) -> bool:
        """Put other words into a turn. A question is asked anew, and what followed it goes."""
        turns = self._state.turns
        if not self._allowed(READY) or not 0 <= index < len(turns) or not text:
            return False
        new = conversation.edited(turns, index, text)
        if conversation.is_answer(new, index) or conversation.waiting_calls(new):
            self._keep(new, branches.put_aside(turns, new, self._state.others), self._past())
            return True
        return self._start(new, undoable=self._past())

    def fork(self, index: int, place: int, ids: tuple[int, ...] | None = None, text: str | None = None) -> bool:
        """Go on with the answer at `index` from its token `place`, with others or with words put there instead."""
        turns, model = self._state.turns, self._state.model
        if not self._allowed(READY) or model is None or not conversation.is_answer(turns, index):
            return False
        answer, choice = turns[index], forks.Choice(ids or (), text or "")
        runs = [self.load_full(run) for run in answer.runs]
        found = forks.forking(answer, runs, place, choice, model, self.traces.of(answer.id))
        if isinstance(found, Failure):
            self._on_failed(found)
            return False
        new = conversation.with_open_answer(turns[:index], found.fork)
        return self._start(new, self._past(), found.prompt, found.sampling)

    def read_lens(self, index: int, place: int, count: int) -> Reading | None:
        """Start the logit lens at `count` tokens of the answer at `index`, from `place` on; None if it can't start."""

        def job(read: Reading, strength: float) -> ReadLens:
            at = max(0, read.start + place - 1)
            places = range(at, max(at + 1, min(at + count, len(read.ids) - 1)))
            return ReadLens(TokenPrompt(read.ids), places, strength)

        return self._look(index, place, lambda *read: partial(self._worker.run_job, job(*read)))

    def read_attention(self, index: int, place: int) -> Reading | None:
        """Start reading the attention of each head at the token `place` of the answer at `index`."""

        def job(read: Reading, strength: float) -> ReadAttention:
            source = read.until(place)
            return ReadAttention(source, len(source.ids) - 1, strength)

        return self._look(index, place, lambda *read: partial(self._worker.run_prompt_job, job(*read)))

    def read_attention_matrix(self, index: int, place: int, layer: int, head: int | None) -> Reading | None:
        """Start reading a head's attention matrix up to there, or the mean over a layer."""

        def job(read: Reading, strength: float) -> ReadAttentionMatrix:
            return ReadAttentionMatrix(read.until(place), layer, head, strength)

        return self._look(index, place, lambda *read: partial(self._worker.run_job, job(*read)))

    def read_hidden_states(self, index: int, place: int) -> Reading | None:
        """Start reading the hidden states at the token `place` of the answer at `index`."""

        def job(read: Reading, strength: float) -> ReadHiddenStates:
            return ReadHiddenStates(TokenPrompt(read.ids), read.start + place, strength)

        return self._look(index, place, lambda *read: partial(self._worker.run_prompt_job, job(*read)))

    def ablate(self, index: int, place: int, part: Unit | range) -> Reading | None:
        """Start the attribution of the answer at `index`, and of its token `place`, to each such part of the prompt."""

        def ask(read: Reading, strength: float) -> Look:
            return partial(self._worker.ablate, read.prompt, read.ids, read.start, read.start + place, part, strength)

        return self._look(index, place, ask)

    def _look(self, index: int, place: int, ask: Callable[[Reading, float], Look]) -> Reading | None:
        turns, model = self._state.turns, self._state.model
        if not self._allowed(READY) or model is None or not conversation.is_answer(turns, index):
            return None
        found = forks.looking([self.load_full(run) for run in turns[index].runs], place, model, self.book.models.known)
        if isinstance(found, Failure):
            self._on_failed(found)
            return None
        self._start_pass(ask(found, found.run.request.sampling.adapter_strength), self.inspected)
        return found

    def try_shorter(self, read: Reading, kept: tuple[int, ...]) -> bool:
        """Write this answer behind these ids, beside the conversation, with nothing from the cache."""
        asked = read.run.request
        limits, kv = replace(asked.limits, max_tokens=len(read.answer)), replace(asked.kv, reuse=False)
        return self.replay(replace(asked, prompt=TokenPrompt(kept, raw=read.raw), limits=limits, kv=kv))

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
        """It was deleted: nothing may be written into it any more, and nothing that was read for it stays."""
        self._have_forgotten(session)
        if session == self._state.opening:
            self.book.tasks.cancel(READING)
            self._change(opening=0)
        if session == self._state.session:
            self.new_session()
        if session == self._state.inactive.session:
            self._change(inactive=InactiveMode())

    def erase(self, then: Callable[[Outcome], None]) -> bool:
        """Delete all sessions and runs for good; both modes begin with an empty page."""
        if not self._allowed(SETTLED):
            return False
        self.book.leave()
        self.traces.forget()
        self._change(session=0, title="", turns=(), others=(), undoable=None, inactive=InactiveMode())
        self.book.erase(then)
        self._have_forgotten(0)
        return True

    def _have_forgotten(self, session: SessionId) -> None:
        number = FORGET_MEMORY if self.book.is_in_memory else session
        self._runner.order(self._worker.forget, number)

    def keep_draft(self, text: str) -> None:
        """What is typed and not sent belongs to the session."""
        self._change(session=self.book.keep_draft(self._state.session, text, self._state.controls))

    def keep_controls(self, begin: bool = False) -> None:
        """What is set before the next run belongs to the session too; `begin` one where there is none."""
        self._change(session=self.book.keep_controls(self._state.session, self._state.controls, begin))

    def load_full(self, run: Run) -> Run:
        """A run with its request, prompt, ids and text, where it was read without."""
        return self.book.load_full(run)

    def set_controls(self, controls: Controls) -> bool:
        """Take effect with the next run. Each mode has its own session, so it can't change in the middle of a run."""
        switches = controls.mode is not self._state.controls.mode
        if switches and (self._runner.current is not None or self._state.opening):
            return False
        self._put(conversation.with_controls(self._state, controls))
        if switches:
            self.book.turn_to(self._past())
        return True

    def observe(self, wanted: bool) -> None:
        """Whether candidates are recorded from the next run on; of servers they are wanted apart."""
        model, controls = self._state.model, self._state.controls
        served = model is not None and bool(model.server)
        if served:
            self._change(served_observed=wanted)
        if not served or (wanted and not controls.observe):
            self.set_controls(replace(controls, observe=OBSERVED if wanted else 0))

    def _start(
        self,
        turns: Turns,
        undoable: ConversationSnapshot | None = None,
        source: PromptSource | None = None,
        sampling: Sampling | None = None,
        asked: Controls | None = None,
    ) -> bool:
        """Generate an answer to `turns`, or with a `source` the open answer that they end with.

        `sampling` is that of an earlier run, with its seed; `asked` replaces the controls for this run.
        """
        model, controls = self._state.model, self._state.controls
        assert model is not None
        if source is None:
            source, turns = conversation.prompt_of(turns, controls, model), conversation.with_open_answer(turns)
        others = branches.put_aside(self._state.turns, turns, self._state.others)
        session, turns = self.book.keep(self._state.session, turns, others, controls)
        self.book.keep_controls(session, controls)
        asked = asked or (controls if sampling is None else replace(controls, sampling=sampling))
        if model.server and not self._state.served_observed:
            asked = replace(asked, observe=0)
        seed = self._seed() if sampling is None else sampling.seed
        current = ActiveRun(model, controls.mode, conversation.request_for(source, asked, seed, model))
        self.book.record(session, turns[-1], current, model)
        self.traces.begin(turns[-1], current.stop.made_at)
        self._runner.run(current, 0 if self.book.is_in_memory else session)
        changes = {"session": session, "turns": turns, "others": others, "undoable": undoable}
        self._change(phase=Phase.PREFILLING, failure=None, **changes)
        return True

    def _keep(self, turns: Turns, others: Turns, undoable: ConversationSnapshot | None = None) -> None:
        """The conversation is another one now, with no run going on."""
        turns, controls = self.book.with_last_run(turns), self._state.controls
        session, turns = self.book.keep(self._state.session, turns, others, controls)
        self._change(session=session, turns=turns, others=others, undoable=undoable)

    def _past(self) -> ConversationSnapshot:
        """The conversation as it is, to go back to."""
        return ConversationSnapshot(self._state.turns, self._state.others)

    def _seed(self) -> int:
        fixed = self._state.controls.seed
        return secrets.randbelow(SEED_RANGE) if fixed is None else fixed

    @Slot(object, object)
    def _on_session(self, session: Session | None, past: ConversationSnapshot) -> None:
        """A session was read; one that is gone leaves the page as it is."""
        if session is None:
            self._change(opening=0)
            return
        controls = clamped(session.settings)
        # What was open in the other mode stays there; this session takes the place of what was open in its own.
        switched = conversation.with_controls(self._state, controls)
        known = replace(switched, session=session.info.id, title=session.info.title, opening=0)
        self._put(replace(known, turns=past.turns, others=past.others, undoable=None))
