"""The text of a speculative run, with its accepted and rejected draft tokens."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from app.experiments.types import RunResult


class Whose(StrEnum):
    MODEL = "model"
    DRAFT = "draft"
    """Proposed by the draft model and accepted."""
    REJECTED = "rejected"
    """Proposed by the draft model and rejected: not part of the text."""


@dataclass(frozen=True, slots=True)
class DraftedSpan:
    """Adjacent tokens of one origin. All spans that aren't REJECTED make the run's text."""

    whose: Whose
    text: str


def stretches(run: RunResult) -> tuple[DraftedSpan, ...]:
    """Return the spans in reading order; rejected tokens precede the token that replaced them."""
    found: list[DraftedSpan] = []
    for piece in _pieces(run):
        if found and found[-1].whose is piece.whose:
            piece = DraftedSpan(piece.whose, found.pop().text + piece.text)
        if piece.text:
            found.append(piece)
    return tuple(found)


def text_with_rejected(run: RunResult) -> str:
    """Return the run's text, with rejected tokens in brackets."""
    return "".join(f"⟨{each.text}⟩" if each.whose is Whose.REJECTED else each.text for each in stretches(run))


def _pieces(run: RunResult) -> Iterator[DraftedSpan]:
    rejected = {each.index: each for each in run.rejected}
    for token in run.tokens:
        if token.index in rejected:
            yield DraftedSpan(Whose.REJECTED, "".join(rejected[token.index].texts))
        yield DraftedSpan(Whose.DRAFT if token.from_draft else Whose.MODEL, token.text)
