"""The exact prompt: text, ids, and the origin of each span."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types.form import LATER
from app.engine.types.request import Argument, Message


class Part(StrEnum):
    """Origin of a span of the prompt."""

    SPECIAL = "special"
    TEMPLATE = "template"
    SYSTEM = "system"
    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class PromptSpan:
    """Span of the prompt's text from character `start` to `end`, with its origin."""

    part: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TemplateCall:
    """Arguments of a call of the chat template, which give the same text again."""

    messages: tuple[Message, ...]
    arguments: tuple[tuple[str, Argument], ...] = ()
    continues: bool = False
    """`continue_final_message`: the template continues the last message."""
    empty_tools: bool = False
    """Whether an empty list of tools was passed, because the template fails without one."""
    dropped: str = ""
    """Text removed from the end of the template's output."""
    added: str = ""
    """Text appended: the reply prefix, or whitespace that the template trimmed."""
    tools: str = field(default="", metadata=LATER)
    """Tools passed to it, as JSON."""


@dataclass(frozen=True, slots=True)
class ExactPrompt:
    """The prompt as the model gets it.

    `offsets` has the character range of each id. Spans cover the text without gaps.
    """

    text: str
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    spans: tuple[PromptSpan, ...]
    notes: tuple[str, ...] = ()
    """Notes on changes: system message merged into the first turn, BOS removed."""
    taken_for_special: tuple[tuple[int, int], ...] = ()
    """Character ranges of system or user text that the tokenizer reads as special tokens."""
    opens_reasoning: bool = False
    """Whether the template opened a reasoning section, so that the reply starts inside it."""
    call: TemplateCall | None = None
    """None without a template."""
    begun: tuple[str, ...] = ()
    """Texts of the ids at the end that are the beginning of the answer."""
    raw: bool = False
    """Whether it is from raw mode: the output is displayed as generated, including special tokens."""

    def text_of(self, place: int) -> str:
        """Return the text of a token."""
        start, end = self.offsets[place]
        return self.text[start:end]

    def texts(self, asked: str = "") -> tuple[tuple[int, str], ...]:
        """Return each id with its text, without tokens that the tokenizer adds before every text."""
        before = len(self.text) - len(asked) if asked and self.text.endswith(asked) else 0
        pairs = zip(self.ids, self.offsets, strict=True)
        return tuple((token, self.text[start:end]) for token, (start, end) in pairs if start >= before)


@dataclass(frozen=True, slots=True)
class SpelledToken:
    """One token of a text. The joined texts of all tokens are the text."""

    id: int
    piece: bytes
    """Its bytes; empty if the tokenizer can't say, because a token's text depends on its neighbors."""
    text: str
    """Characters completed by this token."""


class CacheMissReason(StrEnum):
    """Why the cache holds no more of a prompt."""

    NONE = "it holds all that it could"
    BARE = "no cache is kept"
    OFF = "cache reuse is turned off"
    NOTHING = "nothing was cached yet"
    SETTINGS = "it was made with other settings"
    STUCK = "it can't be rolled back"
    DAMAGED = "what was saved of it was damaged"
    STRANGE = "its saved cache is from another model or version"
    DIFFERS = "the prompt is another one from there on"


@dataclass(frozen=True, slots=True)
class Reusable:
    """Cached tokens that a prompt would reuse: `count` tokens need no prefill.

    `same` is the number of equal tokens from the beginning, reused or not.
    """

    count: int = 0
    same: int = 0
    cached: tuple[int, str] | None = None
    """Id and text of the cached token at the first difference; None if the cache ends there."""
    hindrance: CacheMissReason = CacheMissReason.NOTHING
    session: int = 0
    """Another session whose cache would be reused."""
