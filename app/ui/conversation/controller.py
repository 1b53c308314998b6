"""Controller of the conversation: its turns, branches and views, and the next steps after a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.actions import Intent
from app.bridge.conversation import can_continue, is_answer, prompt_of, request_for
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.controls import Controls, Mode
from app.engine.meter.meter import Frame
from app.engine.types import ENDLESS, Request, Role
from app.files.settings import Settings
from app.i18n import tr
from app.records.types import TurnId
from app.state import SETTLED, DisplayedRun, Phase, State
from app.ui.conversation.answer_settings import describe_settings, with_settings
from app.ui.conversation.call_card import CallCard
from app.ui.conversation.controller_find import FindController
from app.ui.conversation.finish_explanation import NextStep
from app.ui.conversation.finish_line import FinishLine, RunDetails
from app.ui.conversation.first_prompts import Bundled, FirstPrompt
from app.ui.conversation.progress import ProgressRow
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.transcript_update import TranscriptUpdate, reasoning_tokens
from app.ui.conversation.turn_buttons import HoverButtons
from app.ui.conversation.welcome import Welcome
from app.ui.document.latex import render_all
from app.ui.document.turns import AnswerView, TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.tokens.colors import Coloring
from app.ui.tokens.scale import TokenLegend
from app.ui.widgets import FindBar, LazyWindow
from app.ui.widgets.plain_text import copy_text

if TYPE_CHECKING:
    from app.ui.conversation.branches_dialog import BranchesDialog

VIEWS = {
    "view_markdown": AnswerView.MARKDOWN,
    "view_plain": AnswerView.PLAIN,
    "view_mono": AnswerView.MONO,
    "view_tokens": AnswerView.TOKENS,
}
FORMULAS, FORMULAS_AT_ONCE = "formulas", 8
LIMIT_FACTOR = 2
"""“Raise the limit” multiplies `max_tokens` by this."""
WINDOW_ACTIONS = {
    TurnAction.REGENERATE: "regenerate",
    TurnAction.CONTINUE: "continue_run",
    TurnAction.VIEW_CODE: "view_code",
}
"""Actions of a turn that are actions of the window too."""


class ConversationController(Feature):
    ahead = ("app.ui.conversation.branches_dialog",)

    edit_wanted = Signal(int)
    """Index of the turn to edit."""
    continue_wanted = Signal()
    stop_steps_wanted = Signal()
    first_prompt_sent = Signal()
    controls_replaced = Signal(str, object)
    """An example prompt or the settings of an answer have changed the controls: what has changed, and a function that
    restores them. None: they already had these settings."""
    undo_expired = Signal()
    """Another prompt was sent, or another session was opened."""
    starters_shown = Signal(bool)
    """Whether prompts for a base model are shown next to an empty raw page."""
    tokens_shown = Signal(bool)
    """Whether the token view is visible."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        first_prompts: Bundled,
        *,
        transcript: Transcript,
        find: FindBar,
        legend: TokenLegend,
        welcome: Welcome,
        pages: QStackedWidget,
        progress: ProgressRow,
        ending: FinishLine,
        details: RunDetails,
        card: CallCard,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._transcript = transcript
        self._legend = legend
        self._welcome = welcome
        self._pages = pages
        self._window = parent
        self._reasoning_before = 0
        self._example: tuple[Controls, Controls] | None = None
        """The controls before and after a prompt of the empty page; None after the user left that prompt's session."""
        self._text_view = "view_markdown"
        """The last view that wasn't the token view."""
        self._update = TranscriptUpdate(transcript)
        self._branches = LazyWindow(self._make_branches)
        self.find = FindController(playground, transcript, self._update, find, theme)
        self._turn_intents: dict[TurnAction, Callable[[int], object]] = {
            TurnAction.EDIT: self.edit_wanted.emit,
            TurnAction.RESEND: lambda index: playground.edit(index, playground.state.turns[index].text),
            TurnAction.REGENERATE: playground.regenerate,
            TurnAction.CONTINUE: self._continue_turn,
            TurnAction.DETAILS: self._show_details,
            TurnAction.USE_SETTINGS: self._use_settings,
            TurnAction.DELETE: playground.delete,
        }
        self._steps: dict[NextStep, Callable[[], object]] = {
            NextStep.CONTINUE: self.continue_wanted.emit,
            NextStep.RAISE_LIMIT: self._raise_limit,
            NextStep.USE_TEMPLATE: self._use_template,
            NextStep.RETRY: playground.regenerate,
            NextStep.EDIT: self._edit_last,
            NextStep.NEW_SESSION: lambda: self._actions["new_session"].trigger(),
            NextStep.STEPS: self.stop_steps_wanted.emit,
        }
        ending.follow(playground, transcript, details)
        card.follow(playground)
        progress.follow(playground)
        welcome.follow(playground, first_prompts)
        welcome.reset_requested.connect(self._reset_controls)
        ending.stepped.connect(lambda step: self._steps[step]())
        self._ending = ending
        self._hover = HoverButtons(theme, transcript)
        self._hover.wanted.connect(transcript.apply)
        for view in (self._hover, ending):
            view.show_settings_by(self._describe_settings)
        ending.moved.connect(self._hover.leave_to_line)
        transcript.wanted.connect(self._apply_to_turn)
        transcript.branch_wanted.connect(self._step_branch)
        welcome.picked.connect(self._send_first_prompt)
        playground.changed.connect(self._on_changed)
        playground.advanced.connect(self._on_advanced)
        playground.resumed.connect(self._on_advanced)
        playground.shown.changed.connect(self._on_displayed_run_changed)
        playground.playback.advanced.connect(self._on_playback_advanced)
        self._tasks = Tasks(self)
        transcript.formulas.wanted.connect(self._render_formulas)
        self._connect_tokens()

    def _connect_tokens(self) -> None:
        traces, transcript, legend = self._playground.traces, self._transcript, self._legend
        traces.grew.connect(self._show_trace)
        traces.changed.connect(self._show_trace)
        # Queued: emitted while it paints.
        transcript.trace_missed.connect(self._load_trace, Qt.ConnectionType.QueuedConnection)
        transcript.scale_changed.connect(legend.show_scale)
        legend.chosen.connect(transcript.set_coloring)
        legend.left.connect(self._leave_tokens)
        self._pages.currentChanged.connect(self._sync_tokens)

    def actions(self) -> dict[str, Intent]:
        return {
            "undo": self._playground.undo,
            "copy_answer": self._copy_answer,
            "regenerate": lambda: self._playground.regenerate(),
            "previous_branch": lambda: self._step_branch(self._current_fork(), -1),
            "next_branch": lambda: self._step_branch(self._current_fork(), 1),
            "show_branches": self._show_branches,
            **dict.fromkeys(VIEWS, self._set_view),
        }

    def connect_actions(self) -> None:
        group = QActionGroup(self)
        for name in VIEWS:
            group.addAction(self._actions[name])
        self._transcript.set_window_actions({action: self._actions[name] for action, name in WINDOW_ACTIONS.items()})
        self._enable(self._playground.state)

    def restore(self, settings: Settings) -> None:
        view = next((name for name, known in VIEWS.items() if known == settings.view), "view_markdown")
        self._actions[view].setChecked(True)
        self._set_view()
        if settings.colouring in list(Coloring):
            self._transcript.set_coloring(Coloring(settings.colouring))
        self._legend.show_scale(self._transcript.scale)

    def updated_settings(self, settings: Settings) -> Settings:
        coloring = self._transcript.scale.coloring.value
        return replace(settings, view=self._transcript.view.value, colouring=coloring)

    def close(self) -> None:
        self.find.close()

    def fork(self, index: int, position: int, token: int) -> None:
        """Regenerate from this token in place of the sampled one."""
        if self._playground.fork(index, position, ids=(token,)):
            self._transcript.scroll_to_latest()

    def fork_with(self, index: int, position: int, text: str) -> None:
        """Regenerate from this text in place of the sampled token."""
        if self._playground.fork(index, position, text=text):
            self._transcript.scroll_to_latest()

    def _on_changed(self, old: State, new: State) -> None:
        if new.controls.mode is not old.controls.mode:
            # A raw page is edited in the prompt. The transcript has it too, for screen readers and scripts.
            self._transcript.set_raw(new.controls.mode is Mode.RAW)
        if new.turns is not old.turns:
            self._update.open_model = new.model_label
            self._update.apply(old.turns, new.turns)
            self._pages.setCurrentWidget(self._transcript if new.turns else self._welcome)
            self._reasoning_before = reasoning_tokens(new.turns[-1]) if new.turns else 0
            self._sync_tokens()
        if (new.controls, new.model, new.turns) != (old.controls, old.model, old.turns):
            self._welcome.show_settings(self._describe_controls(new))
        if new.turns is not old.turns or new.model is not old.model:
            self.starters_shown.emit(not new.turns and new.model is not None and not new.model.can.chat)
        is_sent = new.phase is Phase.PREFILLING and old.phase is Phase.READY
        if is_sent or new.session != old.session:
            self.undo_expired.emit()
        if old.session and new.session != old.session:
            self._leave_example(old, new)
        if new.controls is not old.controls or new.model is not old.model:
            for view in (self._hover, self._ending):
                view.update_settings()
        self._enable(new)

    def _on_advanced(self, frame: Frame) -> None:
        self._update.append(frame.shown, self._reasoning_before + frame.metrics.thought)

    def _on_playback_advanced(self, frame: Frame) -> None:
        self._update.append(frame.shown, frame.metrics.thought)

    def _on_displayed_run_changed(self, old: DisplayedRun, new: DisplayedRun) -> None:
        """Rewrite an answer while it is played back, and restore the page afterwards."""
        turns = self._playground.state.turns
        if new.slowed and not old.slowed:
            self._update.apply(turns, (*turns[: new.index], replace(turns[new.index], runs=(), open=True)))
            self._transcript.append_shown(self._playground.playback.before)
            self._transcript.scroll_to_latest()
        elif old.slowed and not new.slowed:
            self._transcript.remove_from(old.index)
            self._update.apply(turns[: old.index], turns)
            self._sync_tokens()

    def _enable(self, state: State) -> None:
        ready, settled = state.phase is Phase.READY, state.phase in SETTLED
        self._hover.allow_changes(ready)
        forks = any(len(turn.siblings) > 1 for turn in state.turns)
        self._actions["undo"].setEnabled(settled and state.undoable is not None)
        self._actions["copy_answer"].setEnabled(bool(state.turns))
        self._actions["regenerate"].setEnabled(ready and is_answer(state.turns, len(state.turns) - 1))
        for name in ("previous_branch", "next_branch"):
            self._actions[name].setEnabled(settled and forks)
        self._actions["show_branches"].setEnabled(bool(state.others))

    def _copy_answer(self) -> None:
        """Copy the last answer, which may be incomplete. An empty one doesn't change the clipboard."""
        answers = [
            self._transcript.turn_text(index) if turn.open else turn.text
            for index, turn in enumerate(self._playground.state.turns)
            if turn.role is Role.ASSISTANT
        ]
        if answers and answers[-1]:
            copy_text(answers[-1])

    def _edit_last(self) -> None:
        prompts = [index for index, turn in enumerate(self._playground.state.turns) if turn.role is Role.USER]
        if prompts:
            self.edit_wanted.emit(prompts[-1])

    def _apply_to_turn(self, action: TurnAction, index: int) -> None:
        if (intent := self._turn_intents.get(action)) is not None:
            intent(index)

    def _send_first_prompt(self, offer: FirstPrompt) -> None:
        """Set the controls as the prompt needs them, until the session is left, and send it."""
        before = self._playground.state.controls
        after = offer.apply_to(before)
        self._playground.set_controls(after)
        self._playground.send(offer.prompt)
        self._example = before, after  # at the end, since a change of mode or a run would leave it
        self.first_prompt_sent.emit()
        if changes := offer.describe_changes(before):
            self.controls_replaced.emit(changes, self.undo_example)

    def undo_example(self) -> None:
        """Restore the controls from before the first prompt, except for the mode, which has its own session."""
        now = self._playground.state.controls
        self._playground.set_controls(replace(self._without_example(now), mode=now.mode))

    def _without_example(self, now: Controls) -> Controls:
        """Return the controls with what the first prompt has changed, and the user hasn't since, restored."""
        before, after = self._example or (now, now)
        self._example = None
        return replace(
            now,
            mode=before.mode if now.mode is after.mode else now.mode,
            limits=before.limits if now.limits == after.limits else now.limits,
            sampling=before.sampling if now.sampling == after.sampling else now.sampling,
        )

    def _leave_example(self, old: State, new: State) -> None:
        """In another, empty session, restore the controls from before the first prompt."""
        restored = self._without_example(new.controls)
        if not new.turns and new.controls.mode is old.controls.mode:
            self._playground.set_controls(restored)

    def _render_formulas(self) -> None:
        if not self._tasks.is_running(FORMULAS):
            self._tasks.start(self._render_wanted(), FORMULAS)

    async def _render_wanted(self) -> None:
        """Render formulas on a thread, some at a time, until all have pictures."""
        while wanted := self._transcript.formulas.take_wanted(FORMULAS_AT_ONCE):
            self._transcript.show_formulas(await self._tasks.in_thread(render_all, wanted))

    def _describe_settings(self, index: int) -> str:
        """Return the settings of an answer's run that differ from those of the next run."""
        requests = self._requests_at(index)
        return describe_settings(*requests) if requests is not None else ""

    def _describe_controls(self, state: State) -> str:
        """Return the controls of an empty session that differ from the defaults."""
        if state.turns or state.model is None:
            return ""
        usual = Controls(mode=state.controls.mode)
        requests = (
            request_for(prompt_of((), controls, state.model), controls, 0, state.model)
            for controls in (state.controls, usual)
        )
        return describe_settings(*requests)

    def _reset_controls(self) -> None:
        before = self._playground.state.controls
        self._playground.set_controls(Controls(mode=before.mode))
        self.controls_replaced.emit(tr("The controls have their defaults."), lambda: self._restore_controls(before))

    def _requests_at(self, index: int) -> tuple[Request, Request] | None:
        """Return the request of an answer's last run, and that of the next run; None without a run or a model."""
        state = self._playground.state
        runs = state.turns[index].runs if index < len(state.turns) else ()
        if not runs or state.model is None:
            return None
        request = self._playground.book.request_of(runs[-1])
        source = prompt_of(state.turns, state.controls, state.model)
        return (request, request_for(source, state.controls, 0, state.model)) if request is not None else None

    def _use_settings(self, index: int) -> None:
        """Set the controls as an answer's run had them, except for the seed."""
        requests, before = self._requests_at(index), self._playground.state.controls
        if self._playground.state.model is None:
            self.controls_replaced.emit(tr("Open a model to use the settings of an answer."), None)
        elif requests is None:
            self.controls_replaced.emit(tr("The settings of this answer can't be read."), None)
        elif not (settings := describe_settings(*requests)):
            self.controls_replaced.emit(tr("The controls already have the settings of this answer."), None)
        else:
            self._playground.set_controls(with_settings(before, *requests))
            words = tr("The controls have the settings of the answer: {settings}.").format(settings=settings)
            self.controls_replaced.emit(words, lambda: self._restore_controls(before))

    def _restore_controls(self, controls: Controls) -> None:
        self._playground.set_controls(replace(controls, mode=self._playground.state.controls.mode))

    def _show_details(self, index: int) -> None:
        """Display the run of an answer, with its details."""
        turn = self._playground.state.turns[index]
        self._playground.shown.pick(turn.id, len(turn.runs) - 1)
        if self._playground.shown.now.turn == turn.id:
            self._ending.more.setChecked(True)
            self._transcript.reveal_ending(index)

    def _continue_turn(self, index: int) -> None:
        """Continue the answer if it is the last turn; earlier answers can't be continued."""
        if index == len(self._playground.state.turns) - 1:
            self.continue_wanted.emit()

    def _raise_limit(self) -> None:
        controls = self._playground.state.controls
        limit = controls.limits.max_tokens
        if limit != ENDLESS:
            self._playground.set_controls(
                replace(controls, limits=replace(controls.limits, max_tokens=LIMIT_FACTOR * limit))
            )
        run = self._playground.state.last_run
        if run is not None and can_continue(run):
            self.continue_wanted.emit()
        else:  # a server can't continue a chat answer
            self._playground.regenerate()

    def _use_template(self) -> None:
        page = self._playground.state.turns[0].text
        self._playground.set_controls(replace(self._playground.state.controls, mode=Mode.CHAT))
        self._playground.send(page)

    def _make_branches(self) -> BranchesDialog:
        from app.ui.conversation.branches_dialog import BranchesDialog

        return BranchesDialog(self._playground, self._theme, self._window)

    def _show_branches(self) -> None:
        self._branches.window.show_state(self._playground.state)
        self._branches.bring_up()
        self._branches.window.tree.setFocus()

    def _step_branch(self, index: int, by: int) -> None:
        """Show the sibling of the turn at `index`."""
        turns = self._playground.state.turns
        if 0 <= index < len(turns) and turns[index].id in turns[index].siblings:
            siblings = turns[index].siblings
            number = siblings.index(turns[index].id) + by
            if 0 <= number < len(siblings):
                with self._transcript.keep_place(index):
                    self._playground.switch(siblings[number])

    def _current_fork(self) -> int:
        """Return the turn at the text cursor if it has siblings, else the last turn that has."""
        turns, current = self._playground.state.turns, self._transcript.current_turn()
        forks = [index for index, turn in enumerate(turns) if len(turn.siblings) > 1]
        return current if current is not None and current in forks else forks[-1] if forks else -1

    def _set_view(self) -> None:
        name = next(name for name in VIEWS if self._actions[name].isChecked())
        if VIEWS[name] is not AnswerView.TOKENS:
            self._text_view = name
        self._transcript.set_view(VIEWS[name])
        self._sync_tokens()

    def _leave_tokens(self) -> None:
        self._actions[self._text_view].trigger()
        self._transcript.setFocus()

    def _sync_tokens(self) -> None:
        """Show the known traces after a change of the view or the turns."""
        shown = self._transcript.view is AnswerView.TOKENS
        self.tokens_shown.emit(shown and self._pages.currentWidget() is self._transcript)
        if shown:
            turns = self._playground.state.turns
            for index, turn in enumerate(turns):
                if turn.role is Role.ASSISTANT:
                    self._transcript.show_trace(index, self._playground.traces.of(turn.id))
            self._transcript.trace_grew(len(turns) - 1)

    def _show_trace(self, turn: TurnId) -> None:
        if self._transcript.view is not AnswerView.TOKENS:
            return
        turns = self._playground.state.turns
        index = next((at for at in range(len(turns) - 1, -1, -1) if turns[at].id == turn), None)
        if index is not None:
            self._transcript.show_trace(index, self._playground.traces.of(turn))
            self._transcript.trace_grew(index)

    def _load_trace(self, index: int) -> None:
        """Request the trace of a visible turn; a rewritten turn has lost it."""
        turns = self._playground.state.turns
        if index < len(turns):
            self._transcript.show_trace(index, self._playground.traces.of(turns[index].id))
            self._playground.traces.want(turns[index])
