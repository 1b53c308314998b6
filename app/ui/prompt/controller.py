"""Controller of the prompt: sends it, edits earlier turns, continues and stops runs, in chat and raw mode."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.conversation import can_continue, continuation_of, foreign_reason, is_answer, page_of, prompt_of
from app.bridge.playground import Playground
from app.bridge.prompt_queue import BETWEEN
from app.controls import Mode
from app.engine.meter.meter import Frame
from app.engine.types import ExactPrompt, PromptSource, Role
from app.files.settings import Settings
from app.i18n import tr
from app.records.types import SessionId, TurnId
from app.state import RUNNING, STOPPABLE, Phase, QueuedPrompt, State, Turn
from app.ui.feature import Feature
from app.ui.prompt.controller_attachments import AttachmentsController
from app.ui.prompt.controller_next_prompt import NextPromptController
from app.ui.prompt.editor import EditHint, PromptEditor, WarningsRow
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.widgets import SegmentedChoice

DATABASE_FIRST = tr("The session database is still opening. Your prompt is sent when it is open.")
MODEL_FIRST = tr("It is sent as soon as the model is ready.")
RENDERED = tr("This page is the prompt of the conversation. If you send it, the conversation stays unchanged.")
SESSION_FIRST = tr("It is sent as soon as the session is open.")


class PromptController(Feature):
    """Controller that passes prompts on to the playground. A refused prompt stays in the field."""

    sent = Signal()
    mode_left = Signal()
    """The mode is about to change."""
    raw_turned = Signal(bool)
    """The mode has changed; True for raw mode."""
    reply_start_wanted = Signal()
    page_rendered = Signal()
    """The raw page shows the prompt of the conversation."""

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
        """A prompt waits to be sent until the session database, the model and the session are open."""
        self._model_expected = False
        """The window will load a model after its first paint, although the phase is still EMPTY."""
        self._sending = False
        """An edited turn is being replaced by the sent one."""
        self._waiting_session: SessionId = 0
        """The session of the waiting prompt."""
        self._page_session: SessionId | None = 0
        """The session of the raw page; None if the page is outdated."""
        self._rendered: tuple[TurnId, ...] = ()
        """The turns of the conversation that the raw page showed last."""
        self._queue_place: int | None = None
        """Index in the queue of the queued prompt that is being edited."""
        self._next_prompt = NextPromptController(playground, prompt, lights, exact_prompt, self)
        self.attachments = AttachmentsController(playground, prompt, self)
        self._next_prompt.reply_start_wanted.connect(self.reply_start_wanted)
        prompt.send.connect(self.send)
        prompt.stop.connect(playground.stop)
        prompt.editing_changed.connect(self._show_editing)
        prompt.edited.connect(self._stop_waiting)
        edit_hint.cancelled.connect(self._cancel)
        edit_hint.unsaved_wanted.connect(playground.book.go_on_unsaved)
        mode.chosen.connect(self._choose_mode)
        playground.changed.connect(self._on_changed)
        playground.shown.changed.connect(self._enable_stop)
        playground.advanced.connect(self._on_advanced)
        playground.resumed.connect(self._on_advanced)
        for signal in (playground.book.slow, playground.book.ready):
            signal.connect(self._show_waiting)

    def actions(self) -> dict[str, Intent]:
        return {
            "stop": self._playground.stop,
            "attach_files": self.attachments.choose,
            "continue_run": self.continue_run,
            "enter_sends": self._set_enter_sends,
            "focus_prompt": self._prompt.setFocus,
            "new_raw_page": self.begin_raw_page,
        }

    def connect_actions(self) -> None:
        self._next_prompt.set_actions(self._actions)
        self._show_mode(self._playground.state)
        self._enable(self._playground.state)

    def restore(self, settings: Settings) -> None:
        self._actions["enter_sends"].setChecked(settings.enter_sends)
        self._set_enter_sends()

    def updated_settings(self, settings: Settings) -> Settings:
        return replace(settings, enter_sends=self._actions["enter_sends"].isChecked())

    def expect_model(self, expected: bool) -> None:
        """Set whether Send waits for a model that isn't loading yet. With False it waits only for a loading model."""
        self._model_expected = expected
        state = self._playground.state
        self._ready_prompt(state)
        if self._waiting and not self._is_early(state):
            self._wait(False)

    def send(self, text: str) -> None:
        """Send the prompt, or replace the edited turn. During a run the prompt is queued.

        If model or session aren't open yet, the prompt waits in the field.
        """
        state = self._playground.state
        self._wait(self._is_early(state))
        if self._waiting:
            self._waiting_session = state.opening or state.session
            return
        index, queue = self._prompt.editing, self._playground.queue
        if index is None and state.can_queue:
            if queue.add(text, self._queue_place):
                self._queue_place = None
                self._prompt.accept()
            return
        self._sending = True
        sent = self._playground.send(text) if index is None else self._playground.edit(index, text)
        self._sending = False
        if sent:
            if self._queue_place is not None:  # the prompts after it wait for it
                self._queue_place = None
                queue.send_now()
            self._prompt.accept()
            self.sent.emit()

    def continue_run(self) -> None:
        """Continue the last run; an edited raw page is sent as another prompt."""
        if self._is_raw and self._prompt.page_is_touched:
            self.send(self._prompt.text())
        else:
            self._playground.continue_run()

    def edit(self, index: int) -> None:
        """Edit a turn. Editing a raw page isn't possible while the model writes on it."""
        if not self._is_raw:
            self._prompt.edit(index, self._playground.state.turns[index].text)
        self._prompt.setFocus()

    def edit_queued(self, queued: QueuedPrompt) -> None:
        """Move a queued prompt back into the field, before the typed text; the later ones wait."""
        self._prompt.end_editing()
        self._prompt.set_text(BETWEEN.join(filter(None, (queued.text, self._prompt.text()))))
        self._queue_place = self._playground.queue.remove(queued, hold=True)
        self._playground.keep_draft(self._prompt.unsent)
        self._prompt.setFocus()

    def _show_editing(self, editing: bool) -> None:
        turns, index = self._playground.state.turns, self._prompt.editing
        self._edit_hint.show_editing(editing, index is not None and is_answer(turns, index))

    def set_mode(self, mode: str) -> None:
        """Change the mode. Each mode has its own text and turns."""
        self._prompt.end_editing()
        self.mode_left.emit()
        self._playground.set_controls(replace(self._playground.state.controls, mode=Mode(mode)))
        self._prompt.setFocus()

    def begin_raw_page(self) -> None:
        """Show an empty page in raw mode."""
        if not self._is_raw:
            self.set_mode(Mode.RAW.value)
        self._leave_page()

    def _leave_page(self) -> None:
        """Start another raw session with an empty page. The present one stays in the list if it has any text."""
        if self._actions["new_session"].isEnabled():
            self._actions["new_session"].trigger()
        self._prompt.set_text("")

    def _choose_mode(self, mode: str) -> None:
        """Change the mode. In raw mode show the prompt of the conversation, unless it was shown there before."""
        chat = self._playground.state
        turns = tuple(turn.id for turn in chat.turns)
        self.set_mode(mode)
        is_turned = self._is_raw and chat.controls.mode is not Mode.RAW  # not during a run
        if is_turned and turns not in ((), self._rendered) and (source := self._prompt_of(chat)) is not None:
            self._rendered = turns
            self._leave_page()
            self._playground.tasks.start(self._show_rendered(source), "raw page")

    def _prompt_of(self, chat: State) -> PromptSource | None:
        """Return the prompt of a conversation with its last answer; None if the model can't render it."""
        model, run = chat.model, chat.last_run
        if model is None or not (model.can.chat and model.can.ids):
            return None
        run = self._playground.load_full(run) if run is not None else None
        if run is not None and run.prompt is not None and run.prompt.ids and not foreign_reason(run, model):
            return continuation_of(run)
        return prompt_of(chat.turns, chat.controls, model)

    async def _show_rendered(self, source: PromptSource) -> None:
        """Show a prompt on the raw page, if it is still empty."""
        prompt = await self._playground.tokenize(source)
        state = self._playground.state
        if isinstance(prompt, ExactPrompt) and self._is_raw and not state.turns and not self._prompt.text():
            self._prompt.field.show_page(((prompt.text, False),))
            self._prompt.field.moveCursor(QTextCursor.MoveOperation.End)
            self.page_rendered.emit()

    @property
    def _is_raw(self) -> bool:
        return self._playground.state.controls.mode is Mode.RAW

    def _set_enter_sends(self) -> None:
        self._prompt.set_enter_sends(self._actions["enter_sends"].isChecked())

    def _on_changed(self, old: State, new: State) -> None:
        if new.controls.mode is not old.controls.mode:
            self._show_mode(new)
        if new.session != old.session:
            self._queue_place = None
        self._update_page(old, new)
        if new.turns is not old.turns and self._prompt.editing is not None and not self._sending:
            self._prompt.follow_edited(_place_of(old.turns, new.turns, self._prompt.editing))
        self._enable(new)
        if old.opening and not new.opening and new.session != self._waiting_session:
            self._stop_waiting()  # the waiting prompt belongs to the other mode
        if self._waiting and not self._is_early(new):
            self._wait(False)
            if new.phase is Phase.READY or (new.can_queue and new.phase in RUNNING):
                self.send(self._prompt.text())

    def _is_early(self, state: State) -> bool:
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
            self._prompt.field.write_answer("".join(piece.text for piece in frame.shown))

    def _update_page(self, old: State, new: State) -> None:
        """Update the page in raw mode if its turns have changed. Answers stream by frames."""
        was_raw = old.controls.mode is Mode.RAW
        was_open, is_open = was_raw and _is_open(old.turns), _is_open(new.turns)
        if was_open and new.session != old.session:  # its run continues without the page
            self._prompt.field.end_answer()
            self._page_session, was_open = None, False
        if new.controls.mode is not Mode.RAW:
            return
        another = new.session != self._page_session and new.turns is not old.turns
        self._page_session = new.session
        if new.turns is old.turns if was_raw else not another:
            return
        if is_open and not was_open:
            if another or not new.turns[-1].runs:
                self._show_page(new.turns if new.turns[-1].runs else new.turns[:-1])
            self._prompt.field.begin_answer()
        elif was_open and not is_open:
            self._prompt.field.end_answer()
        elif not is_open:
            self._show_page(new.turns)

    def _show_page(self, turns: Sequence[Turn]) -> None:
        field = self._prompt.field
        if field.text() != page_of(tuple(turns)):
            field.show_page([(page_of((turn,)), turn.role is Role.ASSISTANT) for turn in turns])

    def _show_mode(self, state: State) -> None:
        raw = state.controls.mode is Mode.RAW
        self._mode.show_choice(state.controls.mode.value)
        self._prompt.set_paged(raw)
        self.raw_turned.emit(raw)

    def _enable(self, state: State) -> None:
        run = state.last_run
        can_change_mode = state.phase not in RUNNING and state.phase is not Phase.STOPPING
        self._mode.setEnabled(can_change_mode)
        self._actions["new_raw_page"].setEnabled(can_change_mode)
        ready = self._ready_prompt(state)
        self._prompt.set_queueing(state.can_queue)
        self._prompt.set_stoppable(state.phase in STOPPABLE, state.elsewhere.title if state.elsewhere else "")
        self._enable_stop()
        self._actions["continue_run"].setEnabled(ready and run is not None and can_continue(run))

    def _ready_prompt(self, state: State) -> bool:
        ready = state.phase is Phase.READY
        self._prompt.set_ready(ready, coming=state.phase is Phase.LOADING or self._model_expected)
        return ready

    def _enable_stop(self) -> None:
        watched = bool(self._playground.shown.now.slowed)
        self._actions["stop"].setEnabled(watched or self._playground.state.phase in STOPPABLE)


def _is_open(turns: Sequence[Turn]) -> bool:
    return bool(turns) and turns[-1].open


def _place_of(old: Sequence[Turn], new: Sequence[Turn], index: int) -> int | None:
    """Return the index among the new turns of the turn at `index`; None if it was deleted."""
    edited = old[index].id if index < len(old) else 0
    return next((position for position, turn in enumerate(new) if edited and turn.id == edited), None)
