"""Shows the next and the last exact prompt, the token count, and the prompt warnings with their quick fixes."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.bridge.conversation import Known, mismatch_reason, same_adapter_request
from app.bridge.playground import Playground
from app.bridge.preview import PromptPreview
from app.controls import Mode
from app.engine.prompt_warnings import PromptWarning, QuickFix, WarningKind, prompt_warnings
from app.engine.types import (
    Cancellation,
    ExactPrompt,
    Failure,
    Model,
    PromptEvent,
    Reason,
    Request,
    Rewrite,
    Role,
    TokenPrompt,
    TokenScores,
)
from app.i18n import tr
from app.records.types import SessionId
from app.state import SETTLED, Phase, Run, State
from app.ui.prompt.cache_words import (
    OF_TEMPLATE,
    CacheStatus,
    comparable,
    compare_without_cache,
    describe_origin,
    describe_preview,
    describe_rewrite,
    describe_run,
    why,
)
from app.ui.prompt.editor import PromptEditor, WarningsRow
from app.ui.prompt.exact_prompt import NEXT, SENT, ExactPromptPane, ShownPrompt

ANSWERING = tr("The model is answering this prompt. The next prompt is shown when the answer is complete.")
COMPARING = tr("Rerunning without cache…")
BUSY = tr("Wait until the model is free, then compare.")
WARN_S = 1.0
"""Minimum seconds of a repeated prefill for a warning."""
CUT = frozenset({Reason.STOPPED, Reason.ERROR})


class NextPromptController(QObject):
    """Controller of the exact prompt. It requests a new preview after each change of the next prompt."""

    reply_start_wanted = Signal()

    def __init__(
        self,
        playground: Playground,
        prompt: PromptEditor,
        warnings: WarningsRow,
        exact_prompt: ExactPromptPane,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._prompt = prompt
        self._warnings = warnings
        self._exact_prompt = exact_prompt
        self._preview: PromptPreview | None = None
        self._next = self._sent = ShownPrompt()
        self._source = NEXT
        self._note = ""
        """Reason for the cache miss of the last run."""
        self._origin = 0
        """Another session whose cached prefix was used."""
        self._compared: Run | None = None
        """The run that is repeated without the cache."""
        self._actions: Mapping[str, QAction] = {}
        self._fixes: dict[QuickFix, Callable[[ExactPrompt | None], object]] = {
            QuickFix.USE_CHAT: lambda _: self._switch_mode(Mode.CHAT),
            QuickFix.USE_RAW: lambda _: self._switch_mode(Mode.RAW),
            QuickFix.DROP_BOS: self._drop_bos,
            QuickFix.SHOW_TOKENS: self._show_tokens,
            QuickFix.START_REPLY: lambda _: self.reply_start_wanted.emit(),
            QuickFix.SET_ARGUMENT: lambda _: self._set_argument(),
            QuickFix.DROP_OLDEST: lambda _: playground.delete(0),
        }
        exact_prompt.comparison_wanted.connect(self._compare)
        exact_prompt.argument_wanted.connect(self._set_argument)
        exact_prompt.surprise_wanted.connect(self._score_tokens)
        playground.replayed.connect(self._on_replayed)
        playground.tokens_scored.connect(self._on_tokens_scored)
        playground.changed.connect(self._on_changed)
        playground.prompt_read.connect(self._on_prompt_read)
        playground.finished.connect(self._on_finished)
        playground.preview.previewed.connect(self._on_preview)
        prompt.edited.connect(self._on_edited)
        exact_prompt.source_chosen.connect(self._choose)
        warnings.fix_wanted.connect(self._apply_fix)
        exact_prompt.allow_sent(False)
        exact_prompt.allow_template(False)

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        self._actions = actions

    def _on_changed(self, old: State, new: State) -> None:
        strengths = [state.controls.sampling.adapter_strength for state in (old, new)]
        if new.model is not old.model or strengths[0] != strengths[1]:
            self._exact_prompt.drop_surprise()
        self._exact_prompt.allow_surprise(new.phase is Phase.READY)
        if new.model is not old.model:
            self._exact_prompt.allow_template(new.model is not None and bool(new.model.template))
            self._show_comparison(self._sent.cache.words, True)
        if new.session != old.session or new.controls.mode is not old.controls.mode:
            self._show_session(new)
        if new.phase not in SETTLED or new.model is None:
            return
        decides = [(state.phase, state.model, state.controls, state.session, state.turns) for state in (old, new)]
        if decides[0] != decides[1]:
            if new.model is not old.model:
                self._on_preview(None)
            self._ask()

    def _show_session(self, state: State) -> None:
        run, context = state.last_run, state.model.context if state.model is not None else None
        self._note, self._origin = "", 0
        self._sent = self._reading_of(run, context) if run is not None and run.prompt is not None else ShownPrompt()
        self._source = SENT if self._sent.prompt is not None and self._source == SENT else NEXT
        self._show()

    def _on_edited(self) -> None:
        if self._playground.state.phase in SETTLED:
            self._source = NEXT
            self._ask()
        else:
            # The new text is counted after the run. Warnings were about the prompt that was sent.
            self._prompt.set_token_count("")
            self._preview = None
            self._show_warnings()

    def _ask(self) -> None:
        self._playground.preview.ask(self._prompt.text, self._prompt.editing)

    def _on_preview(self, preview: PromptPreview | None) -> None:
        state = self._playground.state
        self._preview = preview
        context = state.model.context if state.model is not None else None
        prompt = preview.prompt if preview is not None else None
        if preview is not None and isinstance(prompt, ExactPrompt):
            reasoning = state.model.reasoning if state.model is not None else None
            status = describe_preview(prompt, preview.reusable, self._sent.prompt, reasoning, _has_edits(state))
            words = self._with_origin(status.words, preview.reusable.session)
            if (rewrite := self._rewrite()) is not None and state.model is not None:
                cost = describe_rewrite(rewrite[0], template=state.model.template)
                argument = rewrite[0].argument
                status = replace(status, argument=argument[0] if argument is not None else "")
                words = f"{words} {cost}"
            status = replace(status, words=words)
            self._next = ShownPrompt(prompt, preview.reusable.count, context, cache=status)
            words = tr("%n tokens", "%n token", len(prompt.ids))
            if state.turns:
                words = tr("%n tokens with the session", "%n token with the session", len(prompt.ids))
            self._prompt.set_token_count(words)
        else:
            self._next = ShownPrompt(words=f"{prompt.what} {prompt.todo}" if isinstance(prompt, Failure) else "")
            self._prompt.set_token_count("")
        self._show_warnings()
        self._show()

    def _rewrite(self) -> tuple[Rewrite, str] | None:
        """Return what the template rewrites of earlier turns, and why; None if the user changed them."""
        model, preview = self._playground.state.model, self._preview
        if preview is None or preview.rewrite is None or isinstance(preview.prompt, Failure):
            return None
        reasoning = model.reasoning if model is not None else None
        edited = _has_edits(self._playground.state)
        reason = why(preview.prompt, preview.reusable, self._sent.prompt, reasoning, edited)
        return (preview.rewrite, reason) if reason in OF_TEMPLATE else None

    def _rewrite_warnings(self) -> tuple[PromptWarning, ...]:
        rewrite = self._rewrite()
        if rewrite is None or (rewrite[0].seconds or 0) < WARN_S:
            return ()
        fix = QuickFix.SHOW_TOKENS if rewrite[0].argument is None else QuickFix.SET_ARGUMENT
        return (PromptWarning(WarningKind.REWRITE, describe_rewrite(*rewrite), fix),)

    def _show_warnings(self) -> None:
        state = self._playground.state
        if state.model is None:
            self._warnings.show_warnings(())
            return
        prompt = self._preview.prompt if self._preview is not None else None
        found = prompt_warnings(state.model, state.controls.mode is Mode.RAW, prompt) + self._rewrite_warnings()
        if state.last_run is not None and not self._prompt.page_is_touched:
            # The finish line of the last run shows the same text and buttons.
            found = tuple(each for each in found if each.alarm is not WarningKind.CHAT_AS_RAW)
        if not _can_shorten(state, prompt):
            drop = QuickFix.DROP_OLDEST
            found = tuple(replace(each, way_on=None) if each.way_on is drop else each for each in found)
        self._warnings.show_warnings(found)

    def _on_prompt_read(self, prompted: PromptEvent) -> None:
        model = self._playground.state.model
        context = model.context if model is not None else None
        self._note, self._origin = prompted.cache_note, prompted.session
        prompt = prompted.prompt
        self._sent = ShownPrompt(prompt, prompted.reused, context, remark=ANSWERING) if prompt.ids else _text(prompt)
        self._source = SENT
        self._show()

    def _on_finished(self, run: Run) -> None:
        if run.prompt is not None:
            self._sent = self._reading_of(run, self._sent.context)
            self._show()

    def _reading_of(self, run: Run, context: int | None) -> ShownPrompt:
        if run.prompt is not None and not run.prompt.ids:
            return _text(run.prompt)
        words = self._with_origin(describe_run(run, self._note), self._origin)
        status = CacheStatus(words, comparable=self._possible(run))
        return ShownPrompt(run.prompt, run.finish.reused, context, cache=status)

    def _possible(self, run: Run | None) -> bool:
        return possible(run, self._playground.state.model, self._playground.book.models.known)

    def _with_origin(self, words: str, session: SessionId) -> str:
        book = self._playground.book
        return f"{words} {describe_origin('' if book.is_in_memory else book.title(session))}" if session else words

    def _show_comparison(self, words: str, again: bool) -> None:
        """Describe the last run; `again` offers the comparison if the open model can make it."""
        status = CacheStatus(words, comparable=again and self._possible(self._playground.state.last_run))
        self._sent = replace(self._sent, cache=status)
        self._show()

    def _choose(self, source: str) -> None:
        self._source = source
        self._show()

    def _show(self) -> None:
        pane = self._exact_prompt
        pane.allow_sent(self._sent.prompt is not None)
        pane.show_reading(self._source, self._sent if self._source == SENT else self._next)

    def _apply_fix(self, fix: QuickFix) -> None:
        """Apply the quick fix of a warning. No text is lost: each mode has its own text, and edits can be undone."""
        if fix is QuickFix.SHOW_TOKENS:
            self._choose(NEXT)
        prompt = self._preview.prompt if self._preview is not None else None
        self._fixes[fix](prompt if isinstance(prompt, ExactPrompt) else None)

    def _switch_mode(self, mode: Mode) -> None:
        """Change the mode, and take the text along if the other mode has none."""
        text = self._prompt.text()
        self._playground.set_controls(replace(self._playground.state.controls, mode=mode))
        if not self._prompt.text():
            self._prompt.set_text(text)
        self._prompt.setFocus()

    def _set_argument(self) -> None:
        """Set the template argument that keeps the earlier turns cached."""
        rewrite, controls = self._rewrite(), self._playground.state.controls
        if rewrite is not None and rewrite[0].argument is not None:
            name, value = rewrite[0].argument
            others = (each for each in controls.arguments if each[0] != name)
            self._playground.set_controls(replace(controls, arguments=(*others, (name, value))))

    def _drop_bos(self, prompt: ExactPrompt | None) -> None:
        if prompt is not None:
            start, end = prompt.offsets[0]
            self._prompt.set_text(self._prompt.text().removeprefix(prompt.text[start:end]))

    def _show_tokens(self, prompt: ExactPrompt | None) -> None:
        if not self._actions["toggle_exact_prompt"].isChecked():
            self._actions["toggle_exact_prompt"].trigger()
        if prompt is not None and prompt.taken_for_special:
            first = prompt.taken_for_special[0][0]
            token = next(index for index, (start, _) in enumerate(prompt.offsets) if start >= first)
            self._exact_prompt.tokens.setFocus()
            self._exact_prompt.tokens.reveal(token)

    def _score_tokens(self, ids: tuple[int, ...]) -> None:
        if not self._playground.score_tokens(ids):
            self._exact_prompt.drop_surprise()

    def _on_tokens_scored(self, outcome: TokenScores | Failure | Cancellation) -> None:
        if isinstance(outcome, TokenScores):
            self._exact_prompt.show_token_scores(outcome)
        else:
            self._exact_prompt.drop_surprise()

    def _compare(self) -> None:
        """Repeat the last run with the same ids, settings and seed, but without the cache."""
        run = self._playground.state.last_run
        if self._compared is not None or run is None or not self._possible(run):
            return
        if self._playground.replay(without_reuse(run)):
            self._compared = run
            self._show_comparison(COMPARING, False)
        else:
            self._show_comparison(BUSY, True)

    def _on_replayed(self, without: Run) -> None:
        run, self._compared = self._compared, None
        if run is not None and run is self._playground.state.last_run:
            self._show_comparison(compare_without_cache(run, without), True)


def possible(run: Run | None, model: Model | None, known: Known) -> bool:
    """Return True if this model can repeat the run without the cache."""
    return run is not None and model is not None and comparable(run) and not mismatch_reason(run, model, known)


def without_reuse(run: Run) -> Request:
    """Return the request of the rerun; a stopped run gets its own length as max tokens."""
    assert run.prompt is not None
    asked, limits = same_adapter_request(run.request, run.adapter), run.request.limits
    if run.finish.reason in CUT:
        limits = replace(limits, max_tokens=len(run.ids))
    source = TokenPrompt(run.prompt.ids, raw=run.prompt.raw)
    return replace(asked, prompt=source, limits=limits, kv=replace(asked.kv, reuse=False))


def _text(prompt: ExactPrompt) -> ShownPrompt:
    return ShownPrompt(words=" ".join(prompt.notes) or tr("The text was sent to the server, which tokenizes it."))


def _has_edits(state: State) -> bool:
    """Return whether the user has edited the last answer, which then has no run."""
    last = next((turn for turn in reversed(state.turns) if turn.role is Role.ASSISTANT), None)
    return last is not None and not last.runs and not last.open


def _can_shorten(state: State, prompt: ExactPrompt | Failure | None) -> bool:
    """Return whether the prompt can fit without earlier turns; False if its own text is too long."""
    context = state.last_run.summary.context if state.last_run is not None else None
    length = state.model.context if state.model is not None else None
    if not state.turns or context is None or length is None or not isinstance(prompt, ExactPrompt):
        return bool(state.turns)
    return len(prompt.ids) - context.used < length
