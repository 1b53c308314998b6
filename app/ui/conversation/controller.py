"""The conversation: its turns on the page, what is done with one of them, and the next step after a run."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from app.actions import Intent
from app.bridge.conversation import can_continue, is_answer
from app.bridge.playground import Playground
from app.controls import Mode
from app.displayed_run import DisplayedRun
from app.engine.meter.frame import Frame
from app.engine.types import ENDLESS, Role
from app.files.settings import Settings
from app.state import SETTLED, Phase, State
from app.ui.conversation.call_card import CallCard
from app.ui.conversation.controller_branches import BranchesController
from app.ui.conversation.controller_calls import CallsController
from app.ui.conversation.controller_find import FindController
from app.ui.conversation.controller_finish import EndingController
from app.ui.conversation.controller_progress import Brought, ProgressController
from app.ui.conversation.controller_tokens import TokensController
from app.ui.conversation.finish_line import EndingLine
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.next_step import Step
from app.ui.conversation.progress import ProgressRow
from app.ui.conversation.run_details import RunDetails
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.transcript_filling import TranscriptFilling
from app.ui.conversation.transcript_update import TranscriptUpdate
from app.ui.conversation.view_choice import VIEWS, ViewChoice
from app.ui.conversation.welcome import Welcome
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.tokens.legend import TokenLegend
from app.ui.widgets import FindBar
from app.ui.widgets.plain_text import copy_text

RAISE = 2
"""Raising the limit doubles it: after a few times anyone has what they wanted."""
OF_TURNS = {
    TurnAction.REGENERATE: "regenerate",
    TurnAction.CONTINUE: "continue_run",
    TurnAction.VIEW_CODE: "view_code",
}
"""What is done with a turn as well, and is called the same there."""


class ConversationController(Feature):
    """Each intent asks the playground, which refuses what does not fit."""

    ahead = ("app.ui.conversation.branches_dialog",)

    edit_wanted = Signal(int)
    """Other words are to be put into the turn with this index."""
    continue_wanted = Signal()
    stop_steps_wanted = Signal()
    """How the last run was stopped, token by token."""
    first_prompt_sent = Signal()
    starters_shown = Signal(bool)
    """Whether texts to go on with belong beside an empty page."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        first_prompts: Brought,
        *,
        transcript: Transcript,
        find: FindBar,
        legend: TokenLegend,
        welcome: Welcome,
        pages: QStackedWidget,
        progress: ProgressRow,
        ending: EndingLine,
        details: RunDetails,
        card: CallCard,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._transcript = transcript
        self._welcome = welcome
        self._pages = pages
        self._reasoning_before = 0
        self._left: Mode | None = None
        """The mode that a first prompt was picked in, as long as its page is open in another one."""
        filling = TranscriptFilling(transcript)
        self._update = TranscriptUpdate(transcript, filling)
        self.branches = BranchesController(playground, transcript, theme, parent)
        self.find = FindController(playground, transcript, filling, find, theme)
        self._views = ViewChoice(transcript, self)
        legend.left.connect(self._views.leave_tokens)
        self.tokens = TokensController(playground, transcript, legend, pages, self)
        self._turn_intents: dict[TurnAction, Callable[[int], object]] = {
            TurnAction.EDIT: self.edit_wanted.emit,
            TurnAction.RESEND: self._resend,
            TurnAction.REGENERATE: playground.regenerate,
            TurnAction.CONTINUE: self._continue_turn,
            TurnAction.DELETE: playground.delete,
        }
        self._steps: dict[Step, Callable[[], object]] = {
            Step.CONTINUE: self.continue_wanted.emit,
            Step.RAISE_LIMIT: self._raise_limit,
            Step.USE_TEMPLATE: self._use_template,
            Step.RETRY: playground.regenerate,
            Step.EDIT: self._edit_last,
            Step.NEW_SESSION: lambda: self._actions["new_session"].trigger(),
            Step.STEPS: self.stop_steps_wanted.emit,
        }
        self.ending = EndingController(playground, ending, details, transcript, self)
        CallsController(playground, card, self)
        ProgressController(playground, progress, welcome, first_prompts, self)
        ending.stepped.connect(self._take_step)
        ending.copy_wanted.connect(self._copy_answer)
        ending.edit_wanted.connect(self._edit_last)
        self._listen()

    def _listen(self) -> None:
        self._views.changed.connect(self.tokens.sync)
        self._transcript.wanted.connect(self._do_with_turn)
        self._welcome.picked.connect(self._try)
        self._playground.changed.connect(self._on_changed)
        self._playground.advanced.connect(self._on_advanced)
        self._playground.shown.changed.connect(self._on_shown)
        self._playground.watching.advanced.connect(self._on_watched)

    def actions(self) -> dict[str, Intent]:
        return {
            "undo": self._playground.undo,
            "copy_answer": self._copy_answer,
            "regenerate": lambda: self._playground.regenerate(),
            "previous_branch": lambda: self.branches.turn(-1),
            "next_branch": lambda: self.branches.turn(1),
            "show_branches": self.branches.show_tree,
            **dict.fromkeys(VIEWS, self._views.follow),
        }

    def joined(self) -> None:
        self.branches.join(self._actions)
        self._views.join(self._actions)
        self._transcript.know({action: self._actions[name] for action, name in OF_TURNS.items()})
        self._enable(self._playground.state)

    def restore(self, settings: Settings) -> None:
        self._views.restore(settings.view)
        self.tokens.restore(settings.colouring)

    def kept(self, settings: Settings) -> Settings:
        colouring = self._transcript.scale.colouring.value
        return replace(settings, view=self._transcript.view.value, colouring=colouring)

    def close(self) -> None:
        self.find.close()

    def _on_changed(self, old: State, new: State) -> None:
        if new.controls.mode is not old.controls.mode:
            # In raw mode the page stands in the prompt; the transcript has it too, for whoever reads that by name.
            self._transcript.set_raw(new.controls.mode is Mode.RAW)
        if new.turns is not old.turns:
            self._update.apply(old.turns, new.turns)
            self._pages.setCurrentWidget(self._transcript if new.turns else self._welcome)
            runs = new.turns[-1].runs if new.turns else ()
            self._reasoning_before = sum(run.summary.figures.thought for run in runs)
            self.tokens.sync()
        if new.turns is not old.turns or new.model is not old.model:
            self.starters_shown.emit(not new.turns and new.model is not None and not new.model.can.chat)
        if old.session and new.session != old.session:
            self._go_back(old, new)
        self._enable(new)

    def _on_advanced(self, frame: Frame) -> None:
        self._transcript.append_shown(frame.shown, self._reasoning_before + frame.figures.thought)

    def _on_watched(self, frame: Frame) -> None:
        self._transcript.append_shown(frame.shown, frame.figures.thought)

    def _on_shown(self, old: DisplayedRun, new: DisplayedRun) -> None:
        """An answer that is watched again is written once more; then the page is what it was."""
        turns = self._playground.state.turns
        if new.slowed and not old.slowed:
            self._update.apply(turns, (*turns[: new.index], replace(turns[new.index], runs=(), open=True)))
            self._transcript.append_shown(self._playground.watching.before)
            self._transcript.scroll_to_latest()
        elif old.slowed and not new.slowed:
            self._transcript.remove_from(old.index)
            self._update.apply(turns[: old.index], turns)
            self.tokens.sync()

    def _enable(self, state: State) -> None:
        ready = state.phase is Phase.READY
        self._actions["undo"].setEnabled(state.phase in SETTLED and state.undoable is not None)
        self._actions["copy_answer"].setEnabled(bool(state.turns))
        self._actions["regenerate"].setEnabled(ready and is_answer(state.turns, len(state.turns) - 1))

    def _copy_answer(self) -> None:
        """As far as it is written; while nothing of it is, the clipboard keeps what it has."""
        answers = [
            self._transcript.turn_text(index) if turn.open else turn.text
            for index, turn in enumerate(self._playground.state.turns)
            if turn.role is Role.ASSISTANT
        ]
        if answers and answers[-1]:
            copy_text(answers[-1])

    def _edit_last(self) -> None:
        asked = [index for index, turn in enumerate(self._playground.state.turns) if turn.role is Role.USER]
        if asked:
            self.edit_wanted.emit(asked[-1])

    def _do_with_turn(self, action: TurnAction, index: int) -> None:
        if (intent := self._turn_intents.get(action)) is not None:
            intent(index)

    def _take_step(self, step: Step) -> None:
        self._steps[step]()

    def _try(self, offer: FirstPrompt) -> None:
        """What a first prompt asks for counts for its run alone; a mode has a page, and counts until that is left."""
        controls = self._playground.state.controls
        self._playground.set_controls(replace(controls, mode=offer.mode))
        self._left = controls.mode if controls.mode is not offer.mode else None
        self._playground.send(offer.prompt, offer.over(controls))
        self.first_prompt_sent.emit()

    def _go_back(self, old: State, new: State) -> None:
        """Another session: an empty one is in the mode from before a first prompt turned to another."""
        mode, self._left = self._left, None
        if mode is not None and not new.turns and new.controls.mode is old.controls.mode:
            self._playground.set_controls(replace(new.controls, mode=mode))

    def _resend(self, index: int) -> None:
        self._playground.edit(index, self._playground.state.turns[index].text)

    def _continue_turn(self, index: int) -> None:
        """Only the last answer can go on: what follows an earlier one would no longer fit."""
        if index == len(self._playground.state.turns) - 1:
            self.continue_wanted.emit()

    def _raise_limit(self) -> None:
        controls = self._playground.state.controls
        limit = controls.limits.max_tokens
        if limit != ENDLESS:
            self._playground.set_controls(replace(controls, limits=replace(controls.limits, max_tokens=RAISE * limit)))
        run = self._playground.state.last_run
        if run is not None and can_continue(run):
            self.continue_wanted.emit()
        else:  # a server's chat can't be gone on with, only written anew
            self._playground.regenerate()

    def _use_template(self) -> None:
        """What was sent as a page is said in the chat."""
        page = self._playground.state.turns[0].text
        self._playground.set_controls(replace(self._playground.state.controls, mode=Mode.CHAT))
        self._playground.send(page)
