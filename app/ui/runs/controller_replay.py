"""Replays a run: the same request again, beside the conversation, compared token by token with what came then."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge import conversation
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.meter.frame import Frame
from app.engine.types import Model, Reason, Request, Token
from app.i18n import tr
from app.records.journal import Journal
from app.records.replay import compare, near_tie
from app.records.run_environment import full_model_ref, model_ref, versions
from app.records.types import ModelRef, RunId, RunRecord, TokenRecord, WholeRun
from app.state import Phase, Run

BUSY = tr("Wait until the model is free, then replay.")
CLOSED = tr("Open the model of this run first.")
ELSEWHERE = tr("Experiments ▸ Which Settings Change the Tokens? tells what else does.")
TOLD_EVERY_S = 0.25
OWN_ENDS = frozenset({Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.CONTEXT_FULL, Reason.FORM})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be said of a replay; `kind` is a colour's name."""

    words: str
    kind: str = "text"


class ReplayController(QObject):
    """One replay at a time; what each found stays known while the program runs."""

    told = Signal(int)
    """There is something else to say of the replay of this run."""
    changed = Signal(bool)
    """A replay goes on, or no longer."""

    def __init__(self, playground: Playground, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._tasks = tasks
        self._outcomes: dict[RunId, Outcome] = {}
        self._original: WholeRun | None = None
        self._known = ""
        """What is known to change the tokens of its model."""
        self._tokens: list[TokenRecord] = []
        self._told_at = 0.0
        playground.replay_advanced.connect(self._on_advanced)
        playground.replayed.connect(self._on_replayed)

    def outcome(self, run: RunId) -> Outcome:
        """What the last replay of a run found; no words: there was none."""
        return self._outcomes.get(run, Outcome(""))

    def start(self, run: RunId) -> None:
        """Have the run read and, if it can be replayed now, do that."""
        journal, state = self._playground.book.journal, self._playground.state
        if journal is None or self._original is not None:
            return
        if state.phase is not Phase.READY or state.model is None:
            self._tell(run, Outcome(CLOSED if state.model is None else BUSY, "warning"))
            return
        self._tasks.start(self._begin(journal, run, state.model), "replay")

    @Slot()
    def stop(self) -> None:
        """End the replay; what came until then is compared."""
        if self._original is not None:
            self._playground.stop()

    async def _begin(self, journal: Journal, run: RunId, model: Model) -> None:
        found = await self._tasks.in_thread(_gathered, journal, run, model)
        if found is None:
            return
        whole, refusal, self._known = found
        if refusal:
            self._tell(whole.run.id, Outcome(refusal, "warning"))
        elif not self._playground.replay(request_of(whole.run)):
            self._tell(whole.run.id, Outcome(BUSY, "warning"))
        else:
            self._original, self._tokens, self._told_at = whole, [], 0.0
            self._tell(whole.run.id, Outcome(tr("Replaying…")))
            self.changed.emit(True)

    @Slot(object)
    def _on_advanced(self, frame: Frame) -> None:
        if self._original is None:
            return
        ids = self._original.run.ids
        self._tokens += [_kept(token, ids) for token in frame.tokens]
        if frame.at - self._told_at >= TOLD_EVERY_S:
            self._told_at = frame.at
            said = tr("Replaying: {done} of {all} tokens…").format(done=f"{len(self._tokens):,}", all=f"{len(ids):,}")
            self._tell(self._original.run.id, Outcome(said))

    @Slot(object)
    def _on_replayed(self, run: Run) -> None:
        original, self._original = self._original, None
        if original is not None:
            self._tell(original.run.id, _compared(original, self._tokens, run, self._known or ELSEWHERE))
            self._tokens = []
            self.changed.emit(False)

    def _tell(self, run: RunId, outcome: Outcome) -> None:
        self._outcomes[run] = outcome
        self.told.emit(run)


def request_of(run: RunRecord) -> Request:
    """After an end that was not its own it might have gone on, so the replay ends after as many tokens."""
    assert run.prompt is not None
    own = run.finish is not None and run.finish.reason in OWN_ENDS
    return conversation.replay_of(run.request, run.prompt, 0 if own else len(run.ids), run.model.adapter)


def refusal_of(run: RunRecord, model: ModelRef, draft: ModelRef | None) -> str:
    """Why this run can't be replayed on what is open now, in words; empty if it can."""
    if run.prompt is None or not run.ids:
        return tr("This run wrote nothing that a replay could be compared with.")
    if not run.prompt.ids:
        return tr("A server wrote this run as text, so a replay could not be compared token by token.")
    if not run.model.is_same(model):
        return _other(run.model, model)
    there = run.model.adapter
    if there is not None and (model.adapter is None or not there.is_same(model.adapter)):
        return conversation.ADAPTER_FIRST.format(name=run.model.name, adapter=there.name)
    if run.draft is not None and run.request.draft_tokens and (draft is None or not run.draft.is_same(draft)):
        return tr("Open {name} as the draft model first: this run had it beside the model.").format(name=run.draft.name)
    return ""


def _gathered(journal: Journal, run: RunId, model: Model) -> tuple[WholeRun, str, str] | None:
    """On a thread: the run with its tokens, why it can't be replayed, and what changes its model's tokens."""
    from app.roofline.measurement_store import sameness

    journal.flush()  # it may have ended this very moment
    whole = journal.runs.whole(run)
    if whole is None:
        return None
    draft = model_ref(model.draft.name, model.draft.folder) if model.draft else None
    return whole, refusal_of(whole.run, full_model_ref(model), draft), sameness(journal.folder, model)


def _other(then: ModelRef, now: ModelRef) -> str:
    if then.folder == now.folder:
        others = tr("The files in {folder} are others than they were at this run, so it can't be replayed.")
        return others.format(folder=then.folder)
    where = f"{then.name} ({then.folder})" if then.folder and then.folder != then.name else then.name
    said = tr("Open {model} first: this run was written by it, and {opened} is open.")
    return said.format(model=where, opened=now.name)


def _kept(token: Token, ids: tuple[int, ...]) -> TokenRecord:
    """What was observed is only needed where the token is another one."""
    same = token.index < len(ids) and token.id == ids[token.index]
    return TokenRecord(token.index, token.id, token.text, token.at, token.from_draft, None if same else token.observed)


def _compared(original: WholeRun, tokens: list[TokenRecord], run: Run, further: str) -> Outcome:
    failure = run.finish.failure
    if failure is not None:
        said = tr("The replay failed after %n tokens: {what}", "The replay failed after %n token: {what}", len(tokens))
        return Outcome(said.format(what=failure.what), "error")
    near = near_tie(original.run.request, run.finish.precision)
    found = compare(original.tokens, tokens, (original.run.versions, versions()), near)
    sentence = f"{found.sentence[:1].upper()}{found.sentence[1:]}."
    if run.finish.reason is Reason.STOPPED:
        sentence = tr("Stopped by you. {found}").format(found=sentence)
    if found.at is None:
        return Outcome(sentence)
    return Outcome(sentence if found.causes else f"{sentence} {further}", "warning")
