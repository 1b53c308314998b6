"""Reruns a run outside of the conversation, and compares it token by token."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject

from app.bridge import conversation
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.meter.meter import Frame
from app.engine.types import Failure, Finish, Model, Reason, Request, Token
from app.experiments.types import RunResult
from app.i18n import tr
from app.records.comparison import compare, near_tie
from app.records.journal import Journal
from app.records.run_environment import full_model_ref, model_ref, versions
from app.records.types import ModelRef, RunId, RunRecord, TokenRecord, WholeRun
from app.state import Phase, Run

BUSY = tr("A run is in progress. Rerun after it has ended.")
CLOSED = tr("Open the model of this run first.")
ELSEWHERE = tr("Experiments ▸ Find Settings That Change Tokens shows other causes.")
SHOW_EVERY_S = 0.25
OWN_ENDS = frozenset({Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.CONTEXT_FULL, Reason.FORM})


@dataclass(frozen=True, slots=True)
class RerunOutcome:
    """The result of a rerun in words; `kind` names its color."""

    words: str
    kind: str = "text"


class ReplayController(QObject):
    """Reruns one run at a time, and remembers each outcome. `show` gets each run whose outcome changes."""

    def __init__(self, playground: Playground, tasks: Tasks, show: Callable[[RunId], object], parent: QObject) -> None:
        super().__init__(parent)
        self._playground, self._tasks, self._show = playground, tasks, show
        self._outcomes: dict[RunId, RerunOutcome] = {}
        self._original: WholeRun | None = None
        self._known = ""
        """A sentence on the settings that change the tokens of the run's model."""
        self._tokens: list[TokenRecord] = []
        self._shown_at = 0.0
        playground.replay_advanced.connect(self._on_advanced)
        playground.replayed.connect(self._on_replayed)

    @property
    def is_running(self) -> bool:
        return self._original is not None

    def outcome(self, run: RunId) -> RerunOutcome:
        """Return the last outcome of a run; one without text if there is none."""
        return self._outcomes.get(run, RerunOutcome(""))

    def start(self, run: RunId) -> None:
        """Rerun a run, if that is possible now."""
        journal, state = self._playground.book.journal, self._playground.state
        if journal is None or self._original is not None:
            return
        if state.phase is not Phase.READY or state.model is None:
            self._set_outcome(run, RerunOutcome(CLOSED if state.model is None else BUSY, "warning"))
            return
        self._tasks.start(self._begin(journal, run, state.model), "replay")

    def stop(self) -> None:
        """Stop the rerun, and compare what was generated."""
        if self._original is not None:
            self._playground.stop()

    async def _begin(self, journal: Journal, run: RunId, model: Model) -> None:
        found = await self._tasks.in_thread(_read_run, journal, run, model)
        if found is None:
            return
        whole, refusal, self._known = found
        if refusal:
            self._set_outcome(whole.run.id, RerunOutcome(refusal, "warning"))
        elif not self._rerun(whole.run, model):
            self._set_outcome(whole.run.id, RerunOutcome(BUSY, "warning"))
        else:
            self._original, self._tokens, self._shown_at = whole, [], 0.0
            self._set_outcome(whole.run.id, RerunOutcome(tr("Rerunning…")))

    def _rerun(self, run: RunRecord, model: Model) -> bool:
        """Rerun on the open model, or on the same one in the dtype of the run."""
        request, load = request_of(run), model.in_dtype(run.model.format.computed_in).opened_by
        if load == model.opened_by:
            return self._playground.replay(request)
        return self._playground.rerun(load, request, self._on_rerun)

    def _on_advanced(self, frame: Frame) -> None:
        if self._original is None:
            return
        ids = self._original.run.ids
        self._tokens += [_record(token, ids) for token in frame.tokens]
        if frame.at - self._shown_at >= SHOW_EVERY_S:
            self._shown_at = frame.at
            words = tr("Rerunning: {done} of {all} tokens…").format(done=f"{len(self._tokens):,}", all=f"{len(ids):,}")
            self._set_outcome(self._original.run.id, RerunOutcome(words))

    def _on_replayed(self, run: Run) -> None:
        self._compare(run.finish)

    def _on_rerun(self, result: object) -> None:
        if isinstance(result, RunResult) and self._original is not None:
            self._tokens = [_record(token, self._original.run.ids) for token in result.tokens]
            self._compare(result.finish)
        elif isinstance(result, Failure) and self._original is not None:
            kind = "warning" if result.kind == "stopped" else "error"
            self._set_outcome(self._original.run.id, RerunOutcome(result.sentence, kind))
            self._original = None

    def _compare(self, finish: Finish) -> None:
        original, self._original = self._original, None
        if original is not None:
            self._set_outcome(original.run.id, _compared(original, self._tokens, finish, self._known or ELSEWHERE))
            self._tokens = []

    def _set_outcome(self, run: RunId, outcome: RerunOutcome) -> None:
        self._outcomes[run] = outcome
        self._show(run)


def request_of(run: RunRecord) -> Request:
    """Make the request; a run that was stopped is limited to as many tokens."""
    assert run.prompt is not None
    own = run.finish is not None and run.finish.reason in OWN_ENDS
    return conversation.replay_request(run.request, run.prompt, 0 if own else len(run.ids), run.model.adapter)


def refusal_of(run: RunRecord, model: ModelRef, draft: ModelRef | None) -> str:
    """Return why the open model can't rerun this run; empty: it can."""
    if run.prompt is None or not run.ids:
        return tr("This run has no tokens to compare with.")
    if not run.prompt.ids:
        return tr("This run came from a server as text, so it can't be compared token by token.")
    if not run.model.is_same(model):
        return _other(run.model, model)
    there = run.model.adapter
    if there is not None and (model.adapter is None or not there.is_same(model.adapter)):
        return conversation.ADAPTER_FIRST.format(name=run.model.name, adapter=there.name)
    if run.draft is not None and run.request.draft_tokens and (draft is None or not run.draft.is_same(draft)):
        return tr("Open {name} as the draft model first: this run used it.").format(name=run.draft.name)
    return ""


def _read_run(journal: Journal, run: RunId, model: Model) -> tuple[WholeRun, str, str] | None:
    """Return the run, why it can't be rerun, and the conclusion of the determinism experiment on its model."""
    from app.roofline.measurement_store import sameness

    journal.flush()  # the run may have just ended
    whole = journal.runs.whole(run)
    if whole is None:
        return None
    draft = model_ref(model.draft.name, model.draft.folder) if model.draft else None
    return whole, refusal_of(whole.run, full_model_ref(model), draft), sameness(journal.folder, model)


def _other(then: ModelRef, now: ModelRef) -> str:
    if then.folder == now.folder:
        words = tr("The files in {folder} have changed since this run, so it can't be rerun.")
        return words.format(folder=then.folder)
    where = f"{then.name} ({then.folder})" if then.folder and then.folder != then.name else then.name
    words = tr("Open {model} first, which generated this run; {opened} is open.")
    return words.format(model=where, opened=now.name)


def _record(token: Token, ids: tuple[int, ...]) -> TokenRecord:
    """Make a record of a token, with alternatives only if it differs from the original's."""
    same = token.index < len(ids) and token.id == ids[token.index]
    return TokenRecord(token.index, token.id, token.text, token.at, token.from_draft, None if same else token.observed)


def _compared(original: WholeRun, tokens: list[TokenRecord], finish: Finish, further: str) -> RerunOutcome:
    failure = finish.failure
    if failure is not None:
        words = tr("The rerun failed after %n tokens: {what}", "The rerun failed after %n token: {what}", len(tokens))
        return RerunOutcome(words.format(what=failure.what), "error")
    conditions = finish.conditions
    has_tf32 = conditions is not None and conditions.tf32 is True
    near = near_tie(original.run.request, finish.precision, has_tf32)
    found = compare(original.tokens, tokens, (original.run.versions, versions()), near)
    sentence = f"{found.sentence[:1].upper()}{found.sentence[1:]}."
    if finish.reason is Reason.STOPPED:
        sentence = tr("Stopped by you. {found}").format(found=sentence)
    if found.at is None:
        return RerunOutcome(sentence)
    return RerunOutcome(sentence if found.causes else f"{sentence} {further}", "warning")
