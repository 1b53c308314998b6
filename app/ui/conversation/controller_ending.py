"""Explains the last run's ending, and once more when its tokens have been read back."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.bridge.playground import Playground
from app.records.types import TurnId
from app.state import Run, State
from app.ui.conversation.ending_bar import EndingBar
from app.ui.conversation.ending_words import ending_of


class EndingController(QObject):
    """Follows the playground and the traces of its answers."""

    def __init__(self, playground: Playground, bar: EndingBar, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._bar = bar
        playground.changed.connect(self._on_changed)
        playground.finished.connect(self._on_finished)
        playground.traces.changed.connect(self._on_traced)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        run, known = new.last_run, old.last_run
        if new.turns is not old.turns and (run is None or new.turns[-1].open):
            self._bar.clear()
        elif new.phase is old.phase and run is not None and run is not known:
            self._show_past(run, new)

    def _show_past(self, run: Run, state: State) -> None:
        """The last run of a conversation that was there before: its tokens are read where they tell something."""
        self._show(run)
        if run.request.observe:
            self._playground.traces.want(state.turns[-1])

    @Slot(object)
    def _on_finished(self, run: Run) -> None:
        self._show(run)

    @Slot(object)
    def _on_traced(self, turn: TurnId) -> None:
        turns = self._playground.state.turns
        if turns and turns[-1].id == turn and turns[-1].runs and not turns[-1].open:
            self._show(turns[-1].runs[-1])

    def _show(self, run: Run) -> None:
        state = self._playground.state
        trace = self._playground.traces.of(state.turns[-1].id) if state.turns else None
        ending = ending_of(run, state.model is None or state.model.can.chat, trace)
        can_record = ending.unrecorded and not state.controls.observe
        steps = [(step.value, step.words) for step in ending.steps]
        self._bar.show_ending(ending.reason, ending.details, steps, ending.story, can_record)
