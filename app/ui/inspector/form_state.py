"""How far an answer is in its form, and what that expected of each token."""

from dataclasses import dataclass

from app.engine.errors import UserError
from app.engine.forms.grammar import OF_JSON, schema_of
from app.engine.forms.json_walk import LONGEST, Walk
from app.engine.forms.schema_shapes import Shapes
from app.engine.forms.words import expected, listed, quoted, tree
from app.engine.meter.trace import Trace
from app.engine.types import Form, FormKind
from app.files.json_reader import Json
from app.ui.tokens.words import legible


@dataclass(frozen=True, slots=True)
class FormState:
    """`expected`: what could come; empty where nobody knows. `tree`: an answer in JSON, line by line."""

    expected: str = ""
    tree: str = ""


LARGEST = 1 << 14
"""Characters of a schema; a longer one is not followed: that is done at each token, while the window waits."""


class FormReader:
    """Goes along with an answer, and begins anew where an earlier token is asked for, or another answer."""

    def __init__(self) -> None:
        self._of: object = None
        self._form = Form()
        self._shapes = Shapes({})
        self._text: list[str] = []
        self._next = self._length = 0
        self._thought = False
        """What came last was reasoning, or the mark behind that."""

    def before(self, answer: object, form: Form, trace: Trace, place: int) -> FormState:
        """As it was when this token was chosen."""
        if form != self._form:
            self._form, self._of, self._shapes = form, None, Shapes(_schema(form))
        if answer != self._of or place < self._next:
            self._of, self._next, self._length, self._thought = answer, 0, 0, False
            self._text.clear()
        while self._next < place and self._length <= LONGEST:
            self._take(trace, self._next)
            self._next += 1
        if form.kind in OF_JSON:
            walk = Walk(self._shapes, "".join(self._text))
            return FormState(expected(walk), tree(walk)) if len(form.text) <= LARGEST else FormState()
        return FormState(self._allowed(trace, place))

    def _take(self, trace: Trace, place: int) -> None:
        token, seen = trace.token(place), trace.seen(place)
        formed = token.observed is not None and token.observed.formed is not None
        if seen is not None and seen.reasoning:
            self._thought, self._length = True, 0
            self._text.clear()
        elif formed or seen is not None or not self._thought:
            self._thought = False
            self._length += len(token.text)
            self._text.append(token.text)

    def _allowed(self, trace: Trace, place: int) -> str:
        """Choices that begin so; where a form has no words for it, the likeliest of what it allowed."""
        if self._form.kind is FormKind.CHOICES:
            begun = "".join(self._text)
            return listed(quoted(line) for line in self._form.text.splitlines() if line.startswith(begun))
        seen = trace.observed_at(place)
        texts = (each.text for each in seen.top) if seen is not None and seen.formed is not None else ()
        return listed(quoted(legible(text)) for text in texts)


def _schema(form: Form) -> Json:
    """What stands in a file may be no schema."""
    try:
        return schema_of(form) if form.kind in OF_JSON and len(form.text) <= LARGEST else {}
    except (ValueError, UserError):
        return {}
