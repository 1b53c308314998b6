"""What the user wants, from widgets and actions, as intents of the playground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from app.bridge.conversation import can_continue
from app.bridge.playground import Playground
from app.controls import Mode
from app.engine.types import ENDLESS, Argument, LoadRequest, Role
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.next_step import Step
from app.ui.document.turns import TurnAction
from app.ui.shell.layout import Layout

OBSERVED = 10
"""Candidates recorded for each token: what a list of them shows."""
RAISE = 2
"""Raising the limit doubles it: after a few times anyone has what they wanted."""


class Intents(QObject):
    """Each wish asks the playground, which refuses what does not fit."""

    switching = Signal()
    """Another mode is about to be chosen."""

    def __init__(
        self, playground: Playground, parts: Layout, first_prompts: tuple[FirstPrompt, ...], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._parts = parts
        self._first_prompts = first_prompts
        self._editing: int | None = None
        self._turn_wishes: dict[TurnAction, Callable[[int], object]] = {
            TurnAction.EDIT: self._edit,
            TurnAction.RESEND: self._resend,
            TurnAction.REGENERATE: playground.regenerate,
            TurnAction.CONTINUE: self._continue_turn,
            TurnAction.DELETE: playground.delete,
        }
        self._steps: dict[str, Callable[[], object]] = {
            Step.CONTINUE: self.continue_run,
            Step.RAISE_LIMIT: self._raise_limit,
            Step.USE_TEMPLATE: self._use_template,
            Step.RETRY: self.regenerate,
        }
        self._listen()

    @property
    def editing(self) -> int | None:
        """The turn that what is being typed will replace."""
        return self._editing

    def load(self, model: str, draft: str = "") -> None:
        """Open this model, and a draft model beside it."""
        self._playground.load(LoadRequest(model, draft or None))

    @Slot(str)
    def send(self, text: str) -> None:
        """Send what was typed; what is refused stays in the field."""
        index = self._editing
        if self._playground.send(text) if index is None else self._playground.edit(index, text):
            self._editing = None
            self._parts.edit_hint.hide()
            self._parts.prompt.accept()
            self._parts.transcript.scroll_to_latest()

    @Slot()
    def stop(self) -> None:
        self._playground.stop()

    @Slot()
    def continue_run(self) -> None:
        """A page that was edited since is another prompt: it is sent as it stands."""
        raw = self._playground.state.controls.mode is Mode.RAW
        if raw and self._parts.prompt.page_is_touched:
            self.send(self._parts.prompt.text())
        else:
            self._playground.continue_run()

    @Slot()
    def regenerate(self) -> None:
        self._playground.regenerate()

    @Slot()
    def undo(self) -> None:
        self._playground.undo()

    @Slot()
    def copy_answer(self) -> None:
        answers = [turn.text for turn in self._playground.state.turns if turn.role is Role.ASSISTANT]
        if answers:
            QGuiApplication.clipboard().setText(answers[-1])

    def _listen(self) -> None:
        parts = self._parts
        parts.prompt.send.connect(self.send)
        parts.prompt.stop.connect(self.stop)
        parts.progress.cancelled.connect(self.stop)
        parts.transcript.wanted.connect(self._do_with_turn)
        parts.ending.stepped.connect(self._take_step)
        parts.edit_hint.cancelled.connect(self.leave_editing)
        parts.notice.dismissed.connect(self._dismiss)
        parts.controls.edited.connect(self._playground.set_controls)
        parts.mode.chosen.connect(self.set_mode)
        parts.template.edited.connect(self._set_template)
        parts.picture.recording_wanted.connect(self._record)
        parts.inspector.recording_wanted.connect(self._record)
        parts.ending.recording_wanted.connect(self._record_from_now)
        parts.welcome.picked.connect(self._try)

    @Slot(object, int)
    def _do_with_turn(self, wish: TurnAction, index: int) -> None:
        if (wanted := self._turn_wishes.get(wish)) is not None:
            wanted(index)

    @Slot(str)
    def _take_step(self, step: str) -> None:
        if step in self._steps:
            self._steps[step]()

    @Slot(int)
    def _try(self, number: int) -> None:
        """A first prompt comes with the settings that show what it is there to show."""
        offer = self._first_prompts[number]
        controls = self._playground.state.controls
        self._playground.set_controls(
            replace(
                controls,
                mode=offer.mode,
                limits=replace(controls.limits, max_tokens=offer.max_tokens),
                sampling=replace(controls.sampling, temperature=offer.temperature),
            )
        )
        self._playground.send(offer.prompt)
        self._parts.prompt.setFocus()

    @Slot(bool)
    def _record(self, wanted: bool) -> None:
        controls = self._playground.state.controls
        self._playground.set_controls(replace(controls, observe=OBSERVED if wanted else 0))

    @Slot()
    def _record_from_now(self) -> None:
        self._record(True)

    @Slot(str)
    def set_mode(self, mode: str) -> None:
        """Each mode has a text and turns of its own."""
        self.leave_editing()
        self.switching.emit()
        self._playground.set_controls(replace(self._playground.state.controls, mode=Mode(mode)))
        self._parts.prompt.setFocus()

    @Slot(str, object)
    def _set_template(self, reply_start: str, arguments: tuple[tuple[str, Argument], ...]) -> None:
        controls = self._playground.state.controls
        self._playground.set_controls(replace(controls, reply_start=reply_start, arguments=arguments))

    @Slot()
    def _dismiss(self) -> None:
        self._playground.dismiss_failure()
        self._parts.notice.clear()

    @Slot()
    def leave_editing(self) -> None:
        if self._editing is not None:
            self._editing = None
            self._parts.edit_hint.hide()
            self._parts.prompt.accept()

    def _edit(self, index: int) -> None:
        if self._playground.state.controls.mode is Mode.RAW:
            # The page stands there to be edited, all of it; the model may be writing on it.
            self._parts.prompt.setFocus()
            return
        self._editing = index
        self._parts.edit_hint.show()
        self._parts.prompt.set_text(self._playground.state.turns[index].text)
        self._parts.prompt.setFocus()

    def _resend(self, index: int) -> None:
        self._playground.edit(index, self._playground.state.turns[index].text)

    def _continue_turn(self, index: int) -> None:
        """Only the last answer can go on: what follows an earlier one would no longer fit."""
        if index == len(self._playground.state.turns) - 1:
            self.continue_run()

    def _raise_limit(self) -> None:
        controls = self._playground.state.controls
        limit = controls.limits.max_tokens
        if limit != ENDLESS:
            self._playground.set_controls(replace(controls, limits=replace(controls.limits, max_tokens=RAISE * limit)))
        run = self._playground.state.last_run
        if run is not None and can_continue(run):
            self.continue_run()
        else:  # a server's chat can't be gone on with, only written anew
            self.regenerate()

    def _use_template(self) -> None:
        """What was sent as a page is said in the chat."""
        page = self._playground.state.turns[0].text
        self._playground.set_controls(replace(self._playground.state.controls, mode=Mode.CHAT))
        self._playground.send(page)
