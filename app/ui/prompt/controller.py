"""What is typed: sent, put in place of an earlier turn, gone on with or stopped, in the chat or on the page."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.conversation import can_continue
from app.bridge.playground import Playground
from app.controls import Mode
from app.engine.meter.frame import Frame
from app.files.settings import Settings
from app.i18n import tr
from app.records.types import SessionId
from app.state import RUNNING, STOPPABLE, Phase, State, Turn
from app.ui.feature import Feature
from app.ui.prompt.controller_attachments import AttachmentsController
from app.ui.prompt.controller_next_prompt import NextPromptController
from app.ui.prompt.controller_page import PageController
from app.ui.prompt.edit_hint import EditHint
from app.ui.prompt.editor import PromptEditor
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.prompt.warnings_row import WarningsRow
from app.ui.widgets import SegmentedChoice

DATABASE_FIRST = tr("The session database is still opening. Your prompt is sent when it is open.")
MODEL_FIRST = tr("It is sent as soon as the model is ready.")
SESSION_FIRST = tr("It is sent as soon as the session is there.")


class PromptController(Feature):
    """Each intent asks the playground, which refuses what does not fit: that stays in the field."""

    sent = Signal()
    """What was typed is on its way."""
    mode_left = Signal()
    """Another mode is about to be chosen."""
    raw_turned = Signal(bool)
    """Whether the prompt is a whole page now."""
    reply_start_wanted = Signal()

    def __init__(
        self,
        playground: Playground,
        *,
        prompt: PromptEditor,
        edit_hint: EditHint,
        mode: SegmentedChoice,
        lights: WarningsRow,
        exact_prompt: ExactPromptPane,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._prompt = prompt
        self._mode = mode
        self._edit_hint = edit_hint
        self._waiting = False
        """What was typed is sent when the session database is open, and the model and the session are there."""
        self._model_expected = False
        """The window loads a model as soon as it is painted, although the phase is still EMPTY."""
        self._sending = False
        """The turn that is edited gives way to the one that is sent."""
        self._meant: SessionId = 0
        """The session that it waits to be sent in."""
        self._page = PageController(prompt.field)
        self._next_prompt = NextPromptController(playground, prompt, lights, exact_prompt, self)
        self.attachments = AttachmentsController(playground, prompt, self)
        self._next_prompt.reply_start_wanted.connect(self.reply_start_wanted)
        prompt.send.connect(self.send)
        prompt.stop.connect(playground.stop)
        prompt.editing_changed.connect(edit_hint.show_editing)
        prompt.edited.connect(self._stop_waiting)
        edit_hint.cancelled.connect(self._cancel)
        edit_hint.unsaved_wanted.connect(playground.book.go_on_unsaved)
        mode.chosen.connect(self.set_mode)
        playground.changed.connect(self._on_changed)
        playground.shown.changed.connect(self._enable_stop)
        playground.advanced.connect(self._on_advanced)
        for signal in (playground.book.slow, playground.book.ready):
            signal.connect(self._show_waiting)

    def actions(self) -> dict[str, Intent]:
        return {
            "stop": self._playground.stop,
            "continue_run": self.continue_run,
            "enter_sends": self._set_enter_sends,
            "focus_prompt": self._prompt.setFocus,
        }

    def joined(self) -> None:
        self._next_prompt.join(self._actions)
        self._show_mode(self._playground.state)
        self._enable(self._playground.state)

    def restore(self, settings: Settings) -> None:
        self._actions["enter_sends"].setChecked(settings.enter_sends)
        self._set_enter_sends()

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, enter_sends=self._actions["enter_sends"].isChecked())

    def expect_model(self, expected: bool) -> None:
        """Let Send wait for a model that isn't loading yet; with False, wait only for one that loads now."""
        self._model_expected = expected
        state = self._playground.state
        self._ready_prompt(state)
        if self._waiting and not self._is_early(state):
            self._wait(False)

    def send(self, text: str) -> None:
        """Send what was typed, or put it in place of the turn that is edited; what is being opened comes first."""
        state = self._playground.state
        self._wait(self._is_early(state))
        if self._waiting:
            self._meant = state.opening or state.session
            return
        index = self._prompt.editing
        self._sending = True
        sent = self._playground.send(text) if index is None else self._playground.edit(index, text)
        self._sending = False
        if sent:
            self._prompt.accept()
            self.sent.emit()

    def continue_run(self) -> None:
        """Continue the last run; an edited raw page is sent as another prompt."""
        if self._is_raw and self._prompt.page_is_touched:
            self.send(self._prompt.text())
        else:
            self._playground.continue_run()

    def edit(self, index: int) -> None:
        """Edit a turn. A raw page is edited as a whole, while the model can be writing on it."""
        if not self._is_raw:
            self._prompt.edit(index, self._playground.state.turns[index].text)
        self._prompt.setFocus()

    def set_mode(self, mode: str) -> None:
        """Each mode has a text and turns of its own."""
        self._prompt.end_editing()
        self.mode_left.emit()
        self._playground.set_controls(replace(self._playground.state.controls, mode=Mode(mode)))
        self._prompt.setFocus()

    @property
    def _is_raw(self) -> bool:
        return self._playground.state.controls.mode is Mode.RAW

    def _set_enter_sends(self) -> None:
        self._prompt.set_enter_sends(self._actions["enter_sends"].isChecked())

    def _on_changed(self, old: State, new: State) -> None:
        if new.controls.mode is not old.controls.mode:
            self._show_mode(new)
        self._page.apply(old, new)
        if new.turns is not old.turns and self._prompt.editing is not None and not self._sending:
            self._prompt.follow_edited(_place_of(old.turns, new.turns, self._prompt.editing))
        self._enable(new)
        if old.opening and not new.opening and new.session != self._meant:
            self._stop_waiting()  # it was meant for another page
        if self._waiting and not self._is_early(new):
            self._wait(False)
            if new.phase is Phase.READY:
                self.send(self._prompt.text())

    def _is_early(self, state: State) -> bool:
        """Whether a prompt has to wait for the model or the session."""
        return state.phase is Phase.LOADING or bool(state.opening) or self._model_expected

    def _stop_waiting(self) -> None:
        """Cancel sending the waiting prompt, since the text has changed."""
        if self._waiting:
            self._wait(False)

    def _cancel(self) -> None:
        if self._waiting:
            self._wait(False)
        else:
            self._prompt.leave_editing()

    def _wait(self, waiting: bool) -> None:
        self._waiting = waiting
        self._show_waiting()

    def _show_waiting(self) -> None:
        book = self._playground.book
        loads = self._playground.state.phase is Phase.LOADING or self._model_expected
        words = DATABASE_FIRST if book.is_opening else MODEL_FIRST if loads else SESSION_FIRST
        self._edit_hint.show_waiting(words if self._waiting else "", unsaved=book.is_slow)

    def _on_advanced(self, frame: Frame) -> None:
        if self._is_raw:
            self._page.write(frame.shown)

    def _show_mode(self, state: State) -> None:
        raw = state.controls.mode is Mode.RAW
        self._mode.show_choice(state.controls.mode.value)
        self._prompt.set_paged(raw)
        self.raw_turned.emit(raw)

    def _enable(self, state: State) -> None:
        run = state.last_run
        self._mode.setEnabled(state.phase not in RUNNING and state.phase is not Phase.STOPPING)
        ready = self._ready_prompt(state)
        self._prompt.set_stoppable(state.phase in STOPPABLE)
        self._enable_stop()
        self._actions["continue_run"].setEnabled(ready and run is not None and can_continue(run))

    def _ready_prompt(self, state: State) -> bool:
        ready = state.phase is Phase.READY
        self._prompt.set_ready(ready, coming=state.phase is Phase.LOADING or self._model_expected)
        return ready

    def _enable_stop(self) -> None:
        """For what goes on, and for a run that is watched again."""
        watched = bool(self._playground.shown.now.slowed)
        self._actions["stop"].setEnabled(watched or self._playground.state.phase in STOPPABLE)


def _place_of(old: Sequence[Turn], new: Sequence[Turn], index: int) -> int | None:
    """Where the turn at `index` stands among the new ones."""
    edited = old[index].id if index < len(old) else 0
    return next((place for place, turn in enumerate(new) if edited and turn.id == edited), None)
