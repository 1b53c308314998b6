"""The playground: the window's only interface to engine and sessions.

Receives commands; emits states, frames and runs.
"""

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from app.bridge import conversation, forks
from app.bridge.conversation import Turns
from app.bridge.forks import RunTokens
from app.bridge.playground_base import PlaygroundBase
from app.bridge.prompt_queue import PromptQueue
from app.bridge.runner import ActiveRun
from app.bridge.session_store import READING, Opener
from app.bridge.worker import EngineFactory
from app.controls import OBSERVED, Controls, Mode, clamped
from app.engine.jobs import ReadAttention, ReadAttentionMatrix, ReadHiddenStates, ReadLens
from app.engine.protocol import FORGET_MEMORY, StopFlag
from app.engine.types import AblationUnit, Failure, PromptSource, Request, Role, Sampling, TokenPrompt
from app.i18n import tr
from app.records.types import Outcome, Session, SessionId, TurnId
from app.state import (
    READY,
    SETTLED,
    Conversation,
    ConversationSnapshot,
    Phase,
    PlaybackSpeed,
    QueuedPrompt,
    Run,
    Turn,
)

Inspection = Callable[[StopFlag], object]
ANY = frozenset(Phase)
SEED_RANGE = 2**31
"""Random seeds are below this: short enough to copy by hand."""


class Playground(PlaygroundBase):
    """The commands on a conversation and on the open model. Each returns whether it was accepted."""

    def __init__(
        self,
        factory: EngineFactory,
        now: Callable[[], float] | None = None,
        opener: Opener | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(factory, now, opener, parent)
        self.book.session_read.connect(self._on_session)
        self.queue = PromptQueue(self)

    def send(self, text: str) -> bool:
        turns, mode = self._state.turns, self._state.controls.mode
        if not self._allowed(READY) or not conversation.can_send(turns, text, mode):
            return False
        # In raw mode the new page replaces the turns; undo restores them.
        undoable = self._snapshot() if turns and mode is Mode.RAW else None
        return self._start(conversation.with_user(turns, text, mode), undoable)

    def send_queued(self, prompt: QueuedPrompt, page: Conversation) -> bool:
        """Send a queued prompt in its conversation `page`, which need not be the displayed one."""
        if not self._allowed(READY):
            return False
        return self._start(conversation.with_user(page.turns, prompt.text), controls=prompt.controls, page=page)

    def set_queue(self, queue: tuple[QueuedPrompt, ...], is_held: bool = False) -> None:
        """Set the queued prompts; if they are held, they wait for the user. `queue` is the object for users of it."""
        self._change(queue=queue, is_queue_held=is_held and bool(queue))

    def submit_tool_result(self, text: str) -> bool:
        """Add the result of a tool call. After the last one the model continues."""
        turns = self._state.turns
        left = len(conversation.waiting_calls(turns))
        if not self._allowed(READY) or not left or not text:
            return False
        turns = (*turns, Turn(Role.TOOL, text))
        if left == 1:
            return self._start(turns)
        self._store(turns, conversation.branches_after(self._state.turns, turns, self._state.others))
        return True

    def continue_run(self) -> bool:
        """Continue the last answer from its token ids; in raw mode with another model, from the text of the page."""
        run, turns, model = self._state.last_run, self._state.turns, self._state.model
        if not self._allowed(READY) or run is None or model is None or not conversation.can_continue(run):
            return False
        if what := conversation.foreign_reason(run, model):
            if run.mode is Mode.RAW:
                return self.send(conversation.page_of(turns))
            todo = tr("Open {writer} to continue it, or regenerate it.").format(writer=run.model)
            self._on_failed(Failure(what, todo, kind="other model"))
            return False
        source = conversation.continuation_of(run, conversation.needs_written_count(self._state.controls))
        return self._start(conversation.reopen_answer(turns), source=source)

    def regenerate(self, index: int | None = None) -> bool:
        """Generate the answer at `index` again (default: the last one). It and all later turns become a branch."""
        turns = self._state.turns
        index = len(turns) - 1 if index is None else index
        if not self._allowed(READY) or not conversation.is_answer(turns, index):
            return False
        return self._start(turns[:index], undoable=self._snapshot())

    def watch(self, pace: PlaybackSpeed) -> bool:
        """Play back the displayed run. `stop` or a new run ends it."""
        shown = self.shown.now
        allowed = self._allowed(SETTLED) and 0 <= shown.index < len(self._state.turns)
        return allowed and self.playback.begin(self._state.turns[shown.index], pace)

    def replay(self, request: Request) -> bool:
        """Run a request again, outside of the conversation."""
        if not self._allowed(READY):
            return False
        model = self._state.model
        assert model is not None
        self._runner.run(ActiveRun(model, self._state.controls.mode, request, is_replay=True), None)
        self._change(phase=Phase.PREFILLING, failure=None)
        return True

    def edit(self, index: int, text: str) -> bool:
        """Replace the text of a turn. An edited prompt is sent again; the later turns become a branch."""
        turns = self._state.turns
        if not self._allowed(READY) or not 0 <= index < len(turns) or not text:
            return False
        if conversation.is_answer(turns, index) and turns[index].text == text:
            return True
        new = conversation.edit_turn(turns, index, text)
        if conversation.is_answer(new, index) or conversation.waiting_calls(new):
            self._store(new, conversation.branches_after(turns, new, self._state.others), self._snapshot())
            return True
        return self._start(new, undoable=self._snapshot())

    def fork(self, index: int, position: int, ids: tuple[int, ...] | None = None, text: str | None = None) -> bool:
        """Fork the answer at `index` at its token `position`, with other token ids or with a text."""
        turns, model = self._state.turns, self._state.model
        if not self._allowed(READY) or model is None or not conversation.is_answer(turns, index):
            return False
        answer, choice = turns[index], forks.TokenReplacement(ids or (), text or "")
        runs = [self.load_full(run) for run in answer.runs]
        found = forks.fork_answer(answer, runs, position, choice, model, self.traces.of(answer.id))
        if isinstance(found, Failure):
            self._on_failed(found)
            return False
        new = conversation.with_open_answer(turns[:index], found.fork)
        return self._start(new, self._snapshot(), found.prompt, found.sampling)

    def read_lens(self, index: int, position: int, count: int) -> RunTokens | None:
        """Start the logit lens at `count` tokens of an answer, from `position` on.

        Return the ids of the prompt; None if it was refused.
        """

        def job(read: RunTokens, strength: float) -> ReadLens:
            at = max(0, read.start + position - 1)
            positions = range(at, max(at + 1, min(at + count, len(read.ids) - 1)))
            return ReadLens(TokenPrompt(read.ids), positions, strength)

        return self._inspect(index, position, lambda *read: partial(self._worker.run_job, job(*read)))

    def read_attention(self, index: int, position: int) -> RunTokens | None:
        """Start reading the attention of each head at the token `position` of the answer at `index`."""

        def job(read: RunTokens, strength: float) -> ReadAttention:
            source = read.until(position)
            return ReadAttention(source, len(source.ids) - 1, strength)

        return self._inspect(index, position, lambda *read: partial(self._worker.run_prompt_job, job(*read)))

    def read_attention_matrix(self, index: int, position: int, layer: int, head: int | None) -> RunTokens | None:
        """Start reading the attention matrix of a head up to a token, or the mean over the layer's heads."""

        def job(read: RunTokens, strength: float) -> ReadAttentionMatrix:
            return ReadAttentionMatrix(read.until(position), layer, head, strength)

        return self._inspect(index, position, lambda *read: partial(self._worker.run_job, job(*read)))

    def read_hidden_states(self, index: int, position: int) -> RunTokens | None:
        """Start reading the hidden states at the token `position` of the answer at `index`."""

        def job(read: RunTokens, strength: float) -> ReadHiddenStates:
            return ReadHiddenStates(TokenPrompt(read.ids), read.start + position, strength)

        return self._inspect(index, position, lambda *read: partial(self._worker.run_prompt_job, job(*read)))

    def ablate(self, index: int, position: int, part: AblationUnit | range) -> RunTokens | None:
        """Start the attribution of the answer at `index`, and of its token `position`, to the parts of the prompt."""

        def ask(read: RunTokens, strength: float) -> Inspection:
            return partial(
                self._worker.ablate, read.prompt, read.ids, read.start, read.start + position, part, strength
            )

        return self._inspect(index, position, ask)

    def _inspect(self, index: int, position: int, ask: Callable[[RunTokens, float], Inspection]) -> RunTokens | None:
        turns, model = self._state.turns, self._state.model
        if not self._allowed(READY) or model is None or not conversation.is_answer(turns, index):
            return None
        found = forks.inspection_ids(
            [self.load_full(run) for run in turns[index].runs], position, model, self.book.models.known
        )
        if isinstance(found, Failure):
            self._on_failed(found)
            return None
        self._start_pass(ask(found, found.run.request.sampling.adapter_strength), self.inspected)
        return found

    def try_shorter(self, read: RunTokens, ids: tuple[int, ...]) -> bool:
        """Generate an answer after only these prompt ids, outside of the conversation and without cache reuse."""
        request = read.run.request
        limits, kv = replace(request.limits, max_tokens=len(read.answer)), replace(request.kv, reuse=False)
        return self.replay(replace(request, prompt=TokenPrompt(ids, raw=read.raw), limits=limits, kv=kv))

    def switch(self, turn: TurnId) -> bool:
        """Show the branch with this turn, and the turns that followed it last."""
        turns, others = self._state.turns, self._state.others
        way = conversation.path_through(turns, others, turn)
        if not self._allowed(SETTLED) or way is None or way == turns:
            return False
        self._store(way, conversation.branches_after(turns, way, others), self._state.undoable)
        return True

    def delete(self, index: int) -> bool:
        """Delete a turn, and with a prompt its answer; `undo` restores them."""
        turns = self._state.turns
        if not self._allowed(SETTLED) or not 0 <= index < len(turns):
            return False
        new = conversation.delete_turn(turns, index)
        gone = turns[index : index + len(turns) - len(new)]
        self._store(new, conversation.without_turns(turns, self._state.others, gone), self._snapshot())
        return True

    def undo(self) -> bool:
        """Restore the turns from before the last deletion or edit."""
        past = self._state.undoable
        if not self._allowed(SETTLED) or past is None:
            return False
        self._store(past.turns, conversation.branches_restored(past, self._state.turns, self._state.others))
        return True

    def new_session(self) -> bool:
        """Start with an empty page. The open session stays in the journal, and its run continues."""
        state = self._state
        if not self._allowed(ANY) or not state.can_leave or not (state.session or state.turns):
            return False
        self.book.leave()
        left = replace(state, opening=0, elsewhere=conversation.running_elsewhere(state))
        self._set_state(conversation.with_conversation(left, Conversation()))
        return True

    def open_session(self, session: SessionId) -> bool:
        """Read a session and show it. Until then the open one stays, and nothing can be sent. A run continues."""
        state = self._state
        if not self._allowed(ANY) or not state.can_leave or session == (state.opening or state.session):
            return False
        self._change(opening=session)
        self.book.read(session)
        return True

    def forget(self, session: SessionId) -> None:
        """Handle the deletion of a session: stop writing into it, and delete its caches."""
        self._delete_caches(session)
        self.queue.forget(session)
        if session == self._state.opening:
            self.book.tasks.cancel(READING)
            self._change(opening=0, elsewhere=conversation.running_elsewhere(self._state))
        if session == self._state.session:
            self.new_session()
        if session == self._state.inactive.session:
            self._change(inactive=Conversation())

    def erase(self, then: Callable[[Outcome], None]) -> bool:
        """Delete all sessions and runs; both modes start with an empty page."""
        if not self._allowed(SETTLED):
            return False
        self.book.leave()
        self.traces.forget()
        self.queue.erase()
        empty = replace(self._state, inactive=Conversation())
        self._set_state(conversation.with_conversation(empty, Conversation()))
        self.book.erase(then)
        self._delete_caches(0)
        return True

    def _delete_caches(self, session: SessionId) -> None:
        number = FORGET_MEMORY if self.book.is_in_memory else session
        self._runner.order(self._worker.forget, number)

    def keep_draft(self, text: str) -> None:
        """Store the unsent text of the displayed session, after its queued prompts."""
        whole = self.queue.draft(self._state.session, text)
        self._change(session=self.book.keep_draft(self._state.session, whole, self._state.controls))

    def keep_controls(self, begin: bool = False) -> None:
        """Store the controls with the session; `begin`: start one if there is none."""
        self._change(session=self.book.keep_controls(self._state.session, self._state.controls, begin))

    def load_full(self, run: Run) -> Run:
        """Return a run with its request, prompt, ids and text."""
        return self.book.load_full(run)

    def set_controls(self, controls: Controls) -> bool:
        """Set the controls of the next run. The mode can't change during a run, since each mode has its own session."""
        switches = controls.mode is not self._state.controls.mode
        if switches and (self._runner.current is not None or self._state.opening):
            return False
        self._set_state(conversation.with_controls(self._state, controls))
        if switches:
            self.book.leave()
        return True

    def set_recording(self, wanted: bool) -> None:
        """Set whether alternatives are recorded from the next run on. Servers have a separate switch."""
        model, controls = self._state.model, self._state.controls
        served = model is not None and bool(model.server)
        if served:
            self._change(records_on_server=wanted)
        if not served or (wanted and not controls.observe):
            self.set_controls(replace(controls, observe=OBSERVED if wanted else 0))

    def _start(
        self,
        turns: Turns,
        undoable: ConversationSnapshot | None = None,
        source: PromptSource | None = None,
        sampling: Sampling | None = None,
        controls: Controls | None = None,
        page: Conversation | None = None,
    ) -> bool:
        """Generate an answer to `turns`. With a `source`, the last turn is an open answer, which it continues.

        `sampling`: the settings and seed of an earlier run. `page`: a conversation that need not be the displayed one.
        """
        model, controls, page = self._state.model, controls or self._state.controls, page or self._state.conversation
        assert model is not None
        if source is None:
            source, turns = conversation.prompt_of(turns, controls, model), conversation.with_open_answer(turns)
        others = conversation.branches_after(page.turns, turns, page.others)
        is_displayed = page.session == self._state.session
        session, turns = self.book.keep(page, turns, others, controls)
        if is_displayed:
            self.book.keep_controls(session, self._state.controls)
        chosen = controls if sampling is None else replace(controls, sampling=sampling)
        if model.server and not self._state.records_on_server:
            chosen = replace(chosen, observe=0)
        seed = _seed(controls) if sampling is None else sampling.seed
        current = ActiveRun(model, controls.mode, conversation.request_for(source, chosen, seed, model))
        self.book.record(session, turns[-1], current, model)
        self.traces.begin(turns[-1], current.stop.made_at)
        self._runner.run(current, 0 if self.book.is_in_memory else session)
        started = Conversation(session, page.title, turns, others, undoable)
        if is_displayed:
            state = conversation.with_conversation(self._state, started)
        else:
            state = replace(self._state, elsewhere=started)
        self._set_state(replace(state, phase=Phase.PREFILLING, failure=None))
        return True

    def _store(self, turns: Turns, others: Turns, undoable: ConversationSnapshot | None = None) -> None:
        """Store a changed conversation. No run may be active."""
        turns, controls = self.book.with_last_run_loaded(turns), self._state.controls
        session, turns = self.book.keep(self._state.conversation, turns, others, controls)
        self._change(session=session, turns=turns, others=others, undoable=undoable)

    def _snapshot(self) -> ConversationSnapshot:
        return ConversationSnapshot(self._state.turns, self._state.others)

    def _on_session(self, session: Session | None, past: ConversationSnapshot) -> None:
        """Show a session; None if it no longer exists: then the page stays."""
        state = replace(self._state, opening=0)
        running = conversation.running_elsewhere(state)
        if session is None:
            self._set_state(replace(state, elsewhere=state.elsewhere and running))
            return
        page = Conversation(session.info.id, session.info.title, past.turns, past.others)
        # Turns in memory are newer than those that were read.
        known = next((each for each in (running, state.elsewhere) if each and each.session == page.session), None)
        is_resumed = known is not None and known is running and state.elsewhere is not None
        # The other mode keeps its session; this one replaces the session of its own mode.
        switched = conversation.with_controls(state, clamped(session.settings))
        displayed = conversation.with_conversation(switched, replace(known, title=page.title) if known else page)
        self._set_state(replace(displayed, elsewhere=None if known else running))
        if is_resumed:
            self._resume()


def _seed(controls: Controls) -> int:
    return secrets.randbelow(SEED_RANGE) if controls.seed is None else controls.seed
