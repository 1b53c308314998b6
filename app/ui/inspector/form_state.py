"""How far an answer is in its form, and what that expected of each token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.form_words import Line, expected, lines, listed, quoted
from app.engine.forms import OF_JSON, schema_of
from app.engine.json_walk import LONGEST, Walk
from app.engine.refusal import RefusedError
from app.engine.trace import Trace
from app.engine.types import Form, FormKind
from app.json_reader import Json
from app.ui.tokens.words import legible


@dataclass(frozen=True, slots=True)
class FormState:
    """`expected`: what could come; empty where nobody knows. `lines`: the tree of an answer in JSON."""

    expected: str = ""
    lines: tuple[Line, ...] = ()


class FormReader:
    """Goes along with an answer, and begins anew where an earlier token is asked for, or another answer."""

    def __init__(self) -> None:
        self._of: object = None
        self._form = Form()
        self._next = 0
        self._thought = False
        """What came last was reasoning, or the mark behind that."""
        self._begin()

    def before(self, answer: object, form: Form, trace: Trace, place: int) -> FormState:
        """As it was when this token was chosen."""
        if (answer, form) != (self._of, self._form) or place < self._next:
            self._of, self._form, self._next, self._thought = answer, form, 0, False
            self._begin()
        while self._next < place and self._length <= LONGEST:
            self._take(trace, self._next)
            self._next += 1
        if self._walk is not None:
            return FormState(expected(self._walk), lines(self._walk))
        return FormState(self._allowed(trace, place))

    def _begin(self) -> None:
        self._text, self._length = list[str](), 0
        self._walk = Walk(_schema(self._form)) if self._form.kind in OF_JSON else None

    def _take(self, trace: Trace, place: int) -> None:
        token, seen = trace.token(place), trace.seen(place)
        formed = token.observed is not None and token.observed.formed is not None
        if seen is not None and seen.reasoning:
            self._thought = True
            self._begin()
        elif formed or seen is not None or not self._thought:
            self._thought = False
            self._length += len(token.text)
            self._text.append(token.text)
            if self._walk is not None:
                self._walk.feed(token.text)

    def _allowed(self, trace: Trace, place: int) -> str:
        """Choices that begin so; where a form has no words for it, the likeliest of what it allowed."""
        if self._form.kind is FormKind.CHOICES:
            begun = "".join(self._text)
            return listed(quoted(line) for line in self._form.text.splitlines() if line.startswith(begun))
        seen: Sequence[str] = ()
        if (observed := trace.observed_at(place)) is not None and observed.formed is not None:
            seen = [each.text for each in observed.top]
        return listed(quoted(legible(text)) for text in seen)


def _schema(form: Form) -> Json:
    """What stands in a file may be no schema."""
    try:
        return schema_of(form)
    except (ValueError, RefusedError):
        return {}
