"""What would be sent: asked of the engine when typing rests, never during a run, one question at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.bridge import conversation
from app.bridge.engine_thread import EngineThread
from app.engine.types import ExactPrompt, Failure, Request, Reusable
from app.state import State

NOT_ASKED = Reusable()
REST_MS = 150
"""So long the keyboard has to rest."""
SHARE = 3
"""A question that took long is followed by a rest so many times as long: long prompts must not keep the engine busy."""

Read = Callable[[], str]
ANY_SEED = 0


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The prompt as it would go out now, or why it can't, and what of it the cache holds."""

    prompt: ExactPrompt | Failure
    reusable: Reusable = NOT_ASKED


class Preview(QObject):
    """Each question replaces the one before it, and an answer that comes after a newer question is dropped."""

    foreseen = Signal(object)
    """Foreseen, or None where there is nothing to send."""

    def __init__(self, engine: EngineThread, state: Callable[[], State], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._state = state
        self._wish: tuple[Read, int | None] | None = None
        self._number = 0
        self._allowed = self._waiting = False
        self._asked_at = 0.0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REST_MS)
        self._timer.timeout.connect(self._ask)
        engine.worker.foreseen.connect(self._on_foreseen, Qt.ConnectionType.QueuedConnection)

    def ask(self, read: Read, index: int | None = None) -> None:
        """What if this text were sent, or put in place of the turn `index`? It is read when there is peace."""
        self._number += 1
        self._wish = (read, index)
        self._timer.stop()
        self._begin()

    def allow(self, allowed: bool) -> None:
        """Whether the engine is free. A question asked meanwhile waits."""
        if allowed != self._allowed:
            self._allowed = allowed
            self._number += 1
            self._timer.stop()
            self._begin()

    def _begin(self) -> None:
        if self._allowed and not self._waiting and self._wish is not None and not self._timer.isActive():
            self._timer.start()

    @Slot()
    def _ask(self) -> None:
        wish, self._wish = self._wish, None
        request = self._request(*wish) if wish is not None else None
        if request is None:
            self.foreseen.emit(None)
            return
        self._waiting = True
        self._asked_at = time.monotonic()
        self._engine.foresee_wanted.emit(request, self._number)

    def _request(self, read: Read, index: int | None) -> Request | None:
        state = self._state()
        turns = conversation.proposed(state.turns, read(), state.controls.mode, index)
        if turns is None or state.model is None:
            return None
        source = conversation.prompt_of(turns, state.controls, state.model)
        return conversation.request_for(source, state.controls, ANY_SEED, state.model)

    @Slot(int, object, object)
    def _on_foreseen(self, number: int, prompt: ExactPrompt | Failure, reusable: Reusable) -> None:
        self._waiting = False
        took_ms = round((time.monotonic() - self._asked_at) * 1000)
        self._timer.setInterval(max(REST_MS, SHARE * took_ms))
        if number == self._number:
            self.foreseen.emit(Foreseen(prompt, reusable))
        self._begin()
