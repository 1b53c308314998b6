"""The preview of the next prompt, rendered by the engine after a pause in typing; never during a run."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.bridge import conversation
from app.bridge.runner import Runner
from app.bridge.tasks import Tasks
from app.engine.protocol import StopFlag
from app.engine.types import ExactPrompt, Failure, Request, Reusable, Rewrite
from app.state import State

NOT_ASKED = Reusable()
REST_S = 0.15
"""Seconds without typing before a preview."""
REST_FACTOR = 3
"""The pause after a preview, as a multiple of its duration, so that the engine stays free."""

Read = Callable[[], str]
ANY_SEED = 0
KIND = "prompt preview"


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The prompt as it would be sent now, or the failure, and its cached tokens."""

    prompt: ExactPrompt | Failure
    reusable: Reusable = NOT_ASKED
    rewrite: Rewrite | None = None
    """Earlier turns that the template changes."""


class Preview(QObject):
    """Renders previews. A request replaces the one before; the result of an older request is dropped."""

    previewed = Signal(object)
    """PromptPreview; None if there is nothing to send."""

    def __init__(self, runner: Runner, state: Callable[[], State], tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._state = state
        self._tasks = tasks
        self._pending: tuple[Read, int | None] | None = None
        self._is_allowed = self._is_rendering = self._is_stale = False
        self._rest_s = REST_S
        self._stop = StopFlag()
        """Stop flag of the current preview."""
        self._skips_next = False
        self._skipped: str | None = None

    def suspend(self, is_suspended: bool) -> None:
        """Set whether the current text is skipped until it changes, because rendering it crashed the last process."""
        self._skips_next, self._skipped = is_suspended, None

    def ask(self, read: Read, index: int | None = None) -> None:
        """Preview this text after a pause in typing: as the next prompt, or in place of the turn `index`."""
        self._pending = (read, index)
        self._begin()

    def allow(self, allowed: bool) -> None:
        """Set whether the engine is free. Requests wait until it is."""
        if allowed != self._is_allowed:
            self._is_allowed = allowed
            self._begin()
        if not allowed:
            self.cancel()

    def cancel(self) -> None:
        """Drop the result, and stop a running chat template."""
        self._stop.ask()

    def _begin(self) -> None:
        """Start a task. The engine can't interrupt one: an outdated result is dropped when it arrives."""
        self._is_stale = True
        if self._is_rendering:
            return
        self._tasks.cancel(KIND)
        if self._is_allowed and self._pending is not None:
            self._tasks.start(self._preview(), KIND)

    async def _preview(self) -> None:
        from asyncio import sleep

        await sleep(self._rest_s)
        pending, self._pending = self._pending, None
        request = self._request(*pending) if pending is not None else None
        if request is None:
            self.previewed.emit(None)
            return
        self._is_rendering, self._is_stale, asked_at = True, False, time.monotonic()
        self._stop = StopFlag()
        try:
            prompt, reusable, rewrite = await self._runner.answer(self._runner.worker.preview_turn, request, self._stop)
        finally:
            self._is_rendering = False
        self._rest_s = max(REST_S, REST_FACTOR * (time.monotonic() - asked_at))
        if not self._is_stale:
            self.previewed.emit(PromptPreview(prompt, reusable, rewrite))
        if self._pending is not None:
            self._begin()

    def _request(self, read: Read, index: int | None) -> Request | None:
        state, text = self._state(), read()
        if self._skips_next and text.strip():
            self._skips_next, self._skipped = False, text
        turns = conversation.preview_turns(state.turns, text, state.controls.mode, index)
        if turns is None or state.model is None or text == self._skipped:
            return None
        source = conversation.prompt_of(turns, state.controls, state.model)
        request = conversation.request_for(source, state.controls, ANY_SEED, state.model)
        return replace(request, session=state.session)
