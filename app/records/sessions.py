"""The sessions of a journal: listed, searched, opened in steps, changed; no single call destroys anything."""

from __future__ import annotations

from typing import Protocol

from app.engine.types import Role
from app.records.types import Hit, Session, SessionId, SessionInfo, SessionSettings, Turn, TurnId, WholeSession


class Sessions(Protocol):
    """Reads answer at once, from any thread; changes are handed to the writer and are seen by the next read."""

    def count(self) -> int:
        """How many there are, deleted ones left out."""

    def rows(self, start: int = 0, count: int = 100) -> tuple[SessionInfo, ...]:
        """A stretch of the list: the pinned ones first, then by their last change."""

    def get(self, session: SessionId) -> Session | None:
        """One session without its turns; None when there is none, or it is deleted."""

    def turns(self, session: SessionId, start: int = 0, count: int = 20) -> tuple[Turn, ...]:
        """A stretch of its conversation."""

    def search(self, words: str, start: int = 0, count: int = 50) -> tuple[Hit, ...]:
        """Where all of the words occur, the last one also as a beginning; best first. In titles and in all text."""

    def new(self, settings: SessionSettings | None = None) -> SessionId:
        """Begin one. It is titled by its first words until somebody renames it."""

    def rename(self, session: SessionId, title: str) -> None:
        """Give it a title; an empty one lets it follow the first words again."""

    def pin(self, session: SessionId, pinned: bool) -> None:
        """Keep it at the head of the list, or no longer."""

    def duplicate(self, session: SessionId) -> SessionId:
        """A copy with everything in it, runs included."""

    def delete(self, session: SessionId) -> None:
        """Take it out of the list; `restore` brings it back for weeks."""

    def restore(self, session: SessionId) -> None:
        """Undo `delete`."""

    def set_draft(self, session: SessionId, text: str) -> None:
        """Keep what is typed and not sent."""

    def set_settings(self, session: SessionId, settings: SessionSettings) -> None:
        """Keep the controls it is used with."""

    def add_turn(self, session: SessionId, role: Role, text: str, reasoning: str = "") -> TurnId:
        """Append a turn to the conversation. An answer begins empty: its runs bring the text."""

    def set_text(self, turn: TurnId, text: str) -> None:
        """Put other words into a turn."""

    def arrange(self, session: SessionId, turns: tuple[TurnId, ...]) -> None:
        """These turns, in this order, are the conversation now. Others are only hidden: arrange them again to undo."""

    def whole(self, session: SessionId) -> WholeSession | None:
        """Everything in it, to be exported. Long for a long one, so call it on a thread of its own."""

    def add(self, whole: WholeSession) -> SessionId:
        """Take in an imported session as a new one."""
