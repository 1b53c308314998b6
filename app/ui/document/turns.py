"""The turns of the transcript: their source texts and their positions on the page."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from PySide6.QtGui import QTextCursor

from app.engine.types import Channel, Role, VisibleText
from app.i18n import WordedEnum, tr
from app.ui.document.plain_writer import PlainWriter, PositionMark


class AnswerView(StrEnum):
    MARKDOWN = "markdown"
    PLAIN = "plain"
    MONO = "mono"
    TOKENS = "tokens"
    """Plain text with the tokens of the answers."""


class TurnAction(WordedEnum):
    """An action on a turn, with its label in the menu."""

    COPY = "Copy Turn", tr("Copy Turn")
    EDIT = "Edit Turn", tr("Edit Turn")
    RESEND = "Resend Turn", tr("Resend Turn")
    REGENERATE = "Regenerate", tr("Regenerate")
    CONTINUE = "Continue", tr("Continue")
    DETAILS = "Details", tr("Details")
    USE_SETTINGS = "Use These Settings", tr("Use These Settings")
    COMPARE = "Compare Branches…", tr("Compare Branches…")
    VIEW_CODE = "View Code…", tr("View Code…")
    TRY = "Try This With…", tr("Try This With…")
    DELETE = "Delete Turn", tr("Delete Turn")


EDITED = tr("Edited by hand")
"""Ending of an answer that the user wrote, which has no run."""
RUN_ACTIONS = (TurnAction.CONTINUE, TurnAction.DETAILS, TurnAction.USE_SETTINGS, TurnAction.VIEW_CODE, TurnAction.TRY)


class PageWriter(Protocol):
    """A writer that streams a text to the end of the page."""

    def write(self, cursor: QTextCursor, text: str) -> None: ...

    def finish(self, cursor: QTextCursor) -> None: ...


@dataclass(slots=True, eq=False)
class Passage:
    """A part of a turn in one channel: text, reasoning or a tool call."""

    voice: Channel
    tokens: int = 0
    unfolded: bool = False
    done: bool = False
    length: int = 0
    writer: PageWriter | None = None
    start: PositionMark | None = None
    fold: PositionMark | None = None
    _parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    @property
    def folded(self) -> bool:
        return self.voice is Channel.REASONING and not self.unfolded

    def add(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

    def settle(self) -> None:
        """Fix the positions, since this passage and the text before it are complete."""
        for mark in (self.start, self.fold):
            if mark is not None:
                mark.settle()
        if isinstance(self.writer, PlainWriter):
            self.writer.settle()

    def shift(self, after: int, by: int) -> None:
        """Move the fixed positions, since the text after a page position has got longer or shorter."""
        for mark in (self.start, self.fold, self.writer):
            if isinstance(mark, PositionMark | PlainWriter):
                mark.shift(after, by)


class Branch(NamedTuple):
    """The number of the displayed branch, from 1, and the number of branches."""

    number: int = 1
    of: int = 1


ONLY = Branch()


@dataclass(slots=True, eq=False)
class PageTurn:
    """A turn of a conversation. In raw mode it has no header, and the answer continues the prompt's line."""

    index: int
    role: Role
    raw: bool
    branch: Branch = ONLY
    writer: str = ""
    """The model, shown above an answer if the one before it is by another model."""
    passages: list[Passage] = field(default_factory=list)
    ending: str = ""
    done: bool = False
    start: PositionMark | None = None
    tail: PositionMark | None = None
    """Position of its finish line."""

    @property
    def text(self) -> str:
        """The source text without reasoning."""
        return "".join(passage.text for passage in self.passages if passage.voice is not Channel.REASONING)

    @property
    def actions(self) -> tuple[TurnAction, ...]:
        if self.role is Role.ASSISTANT:
            missing = {TurnAction.RESEND, *(RUN_ACTIONS if self.ending == EDITED else ())}
            missing |= {TurnAction.COMPARE} if self.branch.of == 1 else set()
            return tuple(each for each in TurnAction if each not in missing)
        return (TurnAction.COPY, TurnAction.EDIT, TurnAction.RESEND, TurnAction.DELETE)

    def take(self, shown: VisibleText) -> Passage:
        """Append the text to the passage of its channel, and return that passage."""
        if not self.passages or self.passages[-1].voice is not shown.voice:
            if self.passages:
                self.passages[-1].done = True
            self.passages.append(Passage(shown.voice))
        self.passages[-1].add(shown.text)
        return self.passages[-1]

    def settle(self) -> None:
        """Fix all positions, since the turn is complete."""
        for mark in (self.start, self.tail):
            if mark is not None:
                mark.settle()
        for passage in self.passages:
            passage.settle()

    def shift(self, after: int, by: int) -> None:
        """Move the fixed positions, since the text after a page position has got longer or shorter."""
        for mark in (self.start, self.tail, *self.passages):
            if mark is not None:
                mark.shift(after, by)

    def count_reasoning(self, tokens: int) -> Passage | None:
        """Set the number of reasoning tokens. Return the last reasoning passage if its number has changed."""
        reasoning = [passage for passage in self.passages if passage.voice is Channel.REASONING]
        if not reasoning:
            return None
        last = reasoning[-1]
        before, last.tokens = last.tokens, tokens - sum(passage.tokens for passage in reasoning[:-1])
        return last if last.tokens != before else None


def turn_of(turns: list[PageTurn], index: int) -> PageTurn | None:
    return next((turn for turn in turns if turn.index == index), None)


def turn_at(turns: list[PageTurn], position: int) -> PageTurn | None:
    for turn in reversed(turns):
        if turn.start is not None and turn.start.position <= position:
            return turn
    return None
