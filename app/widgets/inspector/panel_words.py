"""What the inspector says where figures are missing, and of several tokens together."""

from __future__ import annotations

from app.engine.trace import Origin, Stretch
from app.widgets.formatting import short_duration
from app.widgets.inspector.subject import Subject
from app.widgets.token_words import legible

EMPTY = (
    "Point at a token of an answer, or pick one with a click or the arrow keys. Here you will see how sure the model"
    " was of it, what it nearly said instead, and how long it took – and you can have the answer go on another way."
)
PUT_IN = "You put this token there, so the model made no choice."
NOT_RECORDED = "What else the model might have said here was not recorded."
SWITCH_ON = "With candidates recorded, the next answers tell."
IS_ON = "Candidates are recorded from the next answer on."


def put_in(subject: Subject | None) -> bool:
    """Whether the user chose this token."""
    return subject is not None and subject.token.origin is Origin.USER


def explained(subject: Subject | None, recording: bool) -> str:
    """Why there are no figures, and how there will be."""
    if subject is None:
        return EMPTY
    if put_in(subject):
        return PUT_IN
    return f"{NOT_RECORDED} {IS_ON if recording else SWITCH_ON}"


def replaced(subject: Subject | None) -> str:
    """What the draft model wanted to say there."""
    text = subject.token.rejected if subject is not None else ""
    return f"Proposed by the draft model and rejected: “{legible(text)}”" if text else ""


def told(stretch: Stretch) -> str:
    """The times of neighbouring tokens."""
    alone = stretch.first == stretch.last
    words = f"Token {stretch.first + 1:,}" if alone else f"Tokens {stretch.first + 1:,} to {stretch.last + 1:,}"
    if stretch.mean is None or stretch.p95 is None:
        return f"{words}: {'of one step with drafts' if stretch.drafted else 'no times between tokens are known'}."
    between = "steps of the draft model" if stretch.drafted else "tokens"
    return f"{words}: mean {short_duration(stretch.mean)}, p95 {short_duration(stretch.p95)} between {between}."
