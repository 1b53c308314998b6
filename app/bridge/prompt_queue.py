"""The queue of prompts: each is sent when the runs before it have ended."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.records.types import SessionId
from app.state import Conversation, Phase, QueuedPrompt, State

if TYPE_CHECKING:
    from app.bridge.playground import Playground

STARTING = "queued prompt"
BETWEEN = "\n\n"
"""Between the prompts of a session in its stored draft."""


class PromptQueue(QObject):
    """The commands on the queue, which is in the state. Sends its first prompt when the playground is ready.

    The draft of a session begins with its queued prompts, so that they are in the prompt field after a crash or the
    next start.
    """

    def __init__(self, playground: Playground) -> None:
        super().__init__(playground)
        self._playground = playground
        self._numbers = count(1)
        self._typed: dict[SessionId, str] = {}
        """The unsent text of each displayed session so far, without its queued prompts."""
        # Not within a change of the state: the listeners of the last run's end come first.
        self._next = QTimer(self, singleShot=True, interval=0)
        self._next.timeout.connect(self._start_next)
        playground.changed.connect(self._on_changed)

    def add(self, text: str, place: int | None = None) -> bool:
        """Queue a prompt for the displayed session, with the current settings; return whether that is possible.

        `place`: its index in the queue; None for the last.
        """
        if not self._state.can_queue or not text:
            return False
        if not self._state.session:
            self._playground.keep_draft(text)  # begins a session
        session, queue = self._state.session, self._state.queue
        if not session:
            return False
        self._typed[session] = ""
        prompt = QueuedPrompt(next(self._numbers), session, text, self._state.controls)
        self.restore(prompt, place=len(queue) if place is None else place)
        return True

    def restore(self, *prompts: QueuedPrompt, place: int, hold: bool = False) -> None:
        """Insert prompts at this index. `hold`: all prompts wait for the user; otherwise held prompts continue."""
        queue = self._state.queue
        self._playground.set_queue((*queue[:place], *prompts, *queue[place:]), hold)
        self._store_drafts(prompts)

    def remove(self, *prompts: QueuedPrompt, hold: bool = False) -> int:
        """Remove prompts, and return the index of the first one. `hold`: the others wait for the user."""
        queue = self._state.queue
        left = tuple(each for each in queue if each not in prompts)
        self._playground.set_queue(left, hold or self._state.is_queue_held)
        self._store_drafts(prompts)
        return queue.index(prompts[0]) if prompts[0] in queue else len(left)

    def send_now(self) -> None:
        """Continue with the held prompts."""
        self._playground.set_queue(self._state.queue)

    def forget(self, session: SessionId) -> None:
        """Remove the prompts of a deleted session. They stay in its draft, which can be restored."""
        left = tuple(each for each in self._state.queue if each.session != session)
        self._playground.set_queue(left, self._state.is_queue_held)

    def erase(self) -> None:
        """Remove all prompts and unsent texts, since all sessions were deleted."""
        self._typed.clear()
        self._playground.set_queue(())

    def draft(self, session: SessionId, typed: str) -> str:
        """Return the draft to store: the queued prompts of a session, and its unsent text."""
        self._typed[session] = typed
        return BETWEEN.join(filter(None, (*self._texts(session), typed)))

    def typed(self, session: SessionId, draft: str) -> str:
        """Return the unsent text of a stored draft, without the queued prompts."""
        texts = self._texts(session)
        return draft.removeprefix(BETWEEN.join(texts)).removeprefix(BETWEEN) if texts else draft

    @property
    def _state(self) -> State:
        return self._playground.state

    def _texts(self, session: SessionId) -> list[str]:
        return [each.text for each in self._state.queue if each.session == session]

    def _store_drafts(self, prompts: Sequence[QueuedPrompt]) -> None:
        for session in {each.session for each in prompts}:
            draft = self.draft(session, self._typed.get(session, ""))
            self._playground.book.keep_draft(session, draft, self._state.controls)

    @property
    def _can_start(self) -> bool:
        state = self._state
        return state.phase is Phase.READY and bool(state.queue) and not (state.is_queue_held or state.opening)

    def _on_changed(self) -> None:
        if self._can_start:
            self._next.start()

    def _start_next(self) -> None:
        tasks = self._playground.tasks
        if not self._can_start:
            return
        prompt = self._state.queue[0]
        if prompt.session == self._state.session:
            self._send(prompt, self._state.conversation)
        elif not tasks.is_running(STARTING):
            tasks.start(self._read_and_send(prompt), STARTING)

    async def _read_and_send(self, prompt: QueuedPrompt) -> None:
        """Send a prompt in a session that isn't displayed. Meanwhile the user may have changed everything."""
        page = await self._playground.book.conversation(prompt.session)
        if not self._can_start or self._state.queue[0] != prompt:
            return
        if page is None:
            self.remove(prompt)
        else:
            is_displayed = prompt.session == self._state.session
            self._send(prompt, self._state.conversation if is_displayed else page)

    def _send(self, prompt: QueuedPrompt, page: Conversation) -> None:
        if self._playground.send_queued(prompt, page):
            self.remove(prompt)
