"""A drafted run as one reads it: whose word each stretch is, with what was proposed in vain standing where it was."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.experiments.types import Result


class Whose(StrEnum):
    """Where a stretch of text comes from."""

    MODEL = "model"
    DRAFT = "draft"
    """Proposed by the draft model, and taken."""
    REJECTED = "rejected"
    """Proposed, and not taken: no part of the text."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text of one kind in a row. Those that are not rejected, joined, are what the run wrote."""

    whose: Whose
    text: str


def stretches(run: Result) -> tuple[Stretch, ...]:
    """In reading order; what was rejected stands before the token that came in its place."""
    found: list[Stretch] = []
    for piece in _pieces(run):
        if found and found[-1].whose is piece.whose:
            piece = Stretch(piece.whose, found.pop().text + piece.text)
        if piece.text:
            found.append(piece)
    return tuple(found)


def marked(run: Result) -> str:
    """The same as plain text, with what was rejected in brackets."""
    return "".join(f"⟨{each.text}⟩" if each.whose is Whose.REJECTED else each.text for each in stretches(run))


def _pieces(run: Result) -> Iterator[Stretch]:
    rejected = {each.index: each for each in run.rejected}
    for token in run.tokens:
        if token.index in rejected:
            yield Stretch(Whose.REJECTED, "".join(rejected[token.index].texts))
        yield Stretch(Whose.DRAFT if token.from_draft else Whose.MODEL, token.text)
