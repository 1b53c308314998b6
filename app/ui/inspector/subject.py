"""A token as the inspector shows it, with the state of the answer within its output format."""

from dataclasses import dataclass

from app.engine.errors import UserError
from app.engine.meter.trace import Trace, TraceToken
from app.engine.structured_output.grammar import OF_JSON, schema_of
from app.engine.structured_output.json_walk import LONGEST, JsonWalk
from app.engine.structured_output.schema_shapes import SchemaResolver
from app.engine.structured_output.words import expected, listed, quoted, tree
from app.engine.types import FormatKind, OutputFormat, Sampling
from app.files.json_reader import Json
from app.ui.tokens.words import legible

MAX_SCHEMA_CHARACTERS = 1 << 14
"""Maximum length of a schema that is followed, since this runs for each token on the UI thread."""


@dataclass(frozen=True, slots=True)
class FormatState:
    """The state of an output format. `expected`: valid continuations, empty if unknown. `tree`: the JSON so far."""

    expected: str = ""
    tree: str = ""


class FormatReader:
    """An incremental reader of the state, which restarts for an earlier token or another answer."""

    def __init__(self) -> None:
        self._answer: object = None
        self._format = OutputFormat()
        self._shapes = SchemaResolver({})
        self._text: list[str] = []
        self._next = self._length = 0
        self._in_reasoning = False
        """The last token was reasoning, or the tag after it."""

    def before(self, answer: object, output_format: OutputFormat, trace: Trace, position: int) -> FormatState:
        """Return the state before the token at `position` was sampled."""
        if output_format != self._format:
            self._format, self._answer, self._shapes = output_format, None, SchemaResolver(_schema(output_format))
        if answer != self._answer or position < self._next:
            self._answer, self._next, self._length, self._in_reasoning = answer, 0, 0, False
            self._text.clear()
        while self._next < position and self._length <= LONGEST:
            self._add(trace, self._next)
            self._next += 1
        if output_format.kind in OF_JSON:
            walk = JsonWalk(self._shapes, "".join(self._text))
            return (
                FormatState(expected(walk), tree(walk))
                if len(output_format.text) <= MAX_SCHEMA_CHARACTERS
                else FormatState()
            )
        return FormatState(self._allowed(trace, position))

    def _add(self, trace: Trace, position: int) -> None:
        token, seen = trace.token(position), trace.seen(position)
        formed = token.observed is not None and token.observed.formed is not None
        if seen is not None and seen.reasoning:
            self._in_reasoning, self._length = True, 0
            self._text.clear()
        elif formed or seen is not None or not self._in_reasoning:
            self._in_reasoning = False
            self._length += len(token.text)
            self._text.append(token.text)

    def _allowed(self, trace: Trace, position: int) -> str:
        """Return the matching choices, or the most probable valid tokens."""
        if self._format.kind is FormatKind.CHOICES:
            begun = "".join(self._text)
            return listed(quoted(line) for line in self._format.text.splitlines() if line.startswith(begun))
        seen = trace.logprobs_at(position)
        texts = (each.text for each in seen.top) if seen is not None and seen.formed is not None else ()
        return listed(quoted(legible(text)) for text in texts)


def _schema(output_format: OutputFormat) -> Json:
    """Return the schema of the format; empty if it is invalid or too long."""
    try:
        return (
            schema_of(output_format)
            if output_format.kind in OF_JSON and len(output_format.text) <= MAX_SCHEMA_CHARACTERS
            else {}
        )
    except (ValueError, UserError):
        return {}


@dataclass(frozen=True, slots=True)
class InspectedToken:
    """A token to show. `index` is the index of its turn on the page, `of` the number of tokens of its answer so far."""

    index: int
    token: TraceToken
    of: int
    group: tuple[TraceToken, ...] = ()
    """All tokens of the character that it is part of; empty for complete characters."""
    sampling: Sampling | None = None
    """Settings of its run; None if unknown."""
    ends: frozenset[int] = frozenset()
    """EOS and stop tokens, which XTC doesn't remove."""
    end_text: str = ""
    """Name of the token if it is an EOS token."""
    precision: str = ""
    """The dtype of its run."""
    unavailable: str = ""
    """Reason that a rerun can't record its alternatives; empty if it can."""
    output_format: FormatState | None = None
    """State within the output format; None without one."""
    growing: bool = False
    """The answer is still streaming."""

    @property
    def key(self) -> tuple[int, int]:
        return self.index, self.token.position

    @property
    def name(self) -> str:
        """Its text, or a name if it has no text or is part of a character."""
        if not self.group:
            return self.token.name or self.end_text
        return self.token.observed.chosen.text if self.token.observed is not None else self.token.text

    @property
    def character(self) -> str:
        return "".join(token.text for token in self.group)
