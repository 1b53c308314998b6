"""What would be sent: asked of the engine when typing rests, never during a run, one question at a time."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.bridge import conversation
from app.bridge.runner import Runner
from app.bridge.tasks import Tasks
from app.engine.protocol import StopFlag
from app.engine.types import ExactPrompt, Failure, Request, Reusable
from app.state import State

NOT_ASKED = Reusable()
REST_S = 0.15
"""So long the keyboard has to rest."""
SHARE = 3
"""A question that took long is followed by a rest so many times as long: long prompts must not keep the engine busy."""

Read = Callable[[], str]
ANY_SEED = 0
KIND = "foreseeing"


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The prompt as it would go out now, or why it can't, and what of it the cache holds."""

    prompt: ExactPrompt | Failure
    reusable: Reusable = NOT_ASKED


class Preview(QObject):
    """Each question replaces the one before it, and an answer that comes after a newer question is dropped."""

    previewed = Signal(object)
    """Foreseen, or None where there is nothing to send."""

    def __init__(self, runner: Runner, state: Callable[[], State], tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._runner = runner
        self._state = state
        self._tasks = tasks
        self._wish: tuple[Read, int | None] | None = None
        self._allowed = self._waiting = self._stale = False
        self._rest_s = REST_S
        self._stop = StopFlag()
        """Of the question that the engine has."""
        self._sparing = False
        self._spared: str | None = None

    def suspend(self, spared: bool) -> None:
        """Whether the text that stands there is left alone until it is another one: reading it ended the program."""
        self._sparing, self._spared = spared, None

    def ask(self, read: Read, index: int | None = None) -> None:
        """What if this text were sent, or put in place of the turn `index`? It is read when there is peace."""
        self._wish = (read, index)
        self._begin()

    def allow(self, allowed: bool) -> None:
        """Whether the engine is free. A question asked meanwhile waits."""
        if allowed != self._allowed:
            self._allowed = allowed
            self._begin()
        if not allowed:
            self.cancel()

    def cancel(self) -> None:
        """Nobody waits for the answer any more, whatever the model's template is at."""
        self._stop.ask()

    def _begin(self) -> None:
        """The engine can't leave off: what it is asked now has to be answered first, and is not told."""
        self._stale = True
        if self._waiting:
            return
        self._tasks.cancel(KIND)
        if self._allowed and self._wish is not None:
            self._tasks.start(self._foresee(), KIND)

    async def _foresee(self) -> None:
        from asyncio import sleep

        await sleep(self._rest_s)
        wish, self._wish = self._wish, None
        request = self._request(*wish) if wish is not None else None
        if request is None:
            self.previewed.emit(None)
            return
        self._waiting, self._stale, asked_at = True, False, time.monotonic()
        self._stop = StopFlag()
        try:
            prompt, reusable = await self._runner.answer(self._runner.worker.preview_prompt, request, self._stop)
        finally:
            self._waiting = False
        self._rest_s = max(REST_S, SHARE * (time.monotonic() - asked_at))
        if not self._stale:
            self.previewed.emit(PromptPreview(prompt, reusable))
        if self._wish is not None:
            self._begin()

    def _request(self, read: Read, index: int | None) -> Request | None:
        state, text = self._state(), read()
        if self._sparing and text.strip():
            self._sparing, self._spared = False, text
        turns = conversation.proposed(state.turns, text, state.controls.mode, index)
        if turns is None or state.model is None or text == self._spared:
            return None
        source = conversation.prompt_of(turns, state.controls, state.model)
        request = conversation.request_for(source, state.controls, ANY_SEED, state.model)
        return replace(request, session=state.session)
