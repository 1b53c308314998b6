"""The exact prompt: its text, its ids, and whose text each stretch of it is."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types.form import LATER
from app.engine.types.request import Argument, Message


class Part(StrEnum):
    """Whose text a stretch of the prompt is."""

    SPECIAL = "special"
    TEMPLATE = "template"
    SYSTEM = "system"
    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class PromptSpan:
    """Characters `start` to `end` of the prompt's text belong to `part`."""

    part: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TemplateCall:
    """How the chat template was asked, so that anyone who asks it the same way gets the same text."""

    messages: tuple[Message, ...]
    arguments: tuple[tuple[str, Argument], ...] = ()
    continues: bool = False
    """The template was told to go on with the last message instead of opening a new one."""
    empty_tools: bool = False
    """It was given an empty list of tools, without which it does not work."""
    dropped: str = ""
    """The end of what it wrote that was taken away again."""
    added: str = ""
    """What was put behind the rest: the beginning of the reply, or blanks that the template had trimmed."""
    tools: str = field(default="", metadata=LATER)
    """What it was told that the model may call, as JSON."""


@dataclass(frozen=True, slots=True)
class ExactPrompt:
    """What really goes to the model. `offsets` has the characters of each id; spans cover the text without gaps."""

    text: str
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    spans: tuple[PromptSpan, ...]
    notes: tuple[str, ...] = ()
    """What was done that the user might not expect: a system message folded into the first turn, a BOS dropped."""
    taken_for_special: tuple[tuple[int, int], ...] = ()
    """Where in the system's or the user's own words the model reads a special token."""
    opens_reasoning: bool = False
    """The template has already opened a reasoning section, so the reply starts inside it."""
    call: TemplateCall | None = None
    """None where no template wrote it."""
    begun: tuple[str, ...] = ()
    """The texts of those ids at its end with which the answer begins."""
    raw: bool = False
    """A page and no conversation: what follows is shown as the model writes it, marks included."""

    def text_of(self, place: int) -> str:
        """What one of its tokens says."""
        start, end = self.offsets[place]
        return self.text[start:end]

    def texts(self, asked: str = "") -> tuple[tuple[int, str], ...]:
        """Each id and its text; of what was asked, without what the tokenizer puts before any text."""
        before = len(self.text) - len(asked) if asked and self.text.endswith(asked) else 0
        pairs = zip(self.ids, self.offsets, strict=True)
        return tuple((token, self.text[start:end]) for token, (start, end) in pairs if start >= before)


@dataclass(frozen=True, slots=True)
class SpelledToken:
    """One token of a text. The texts of all of them, joined, are the text."""

    id: int
    piece: bytes
    """Its own; empty where the tokenizer does not tell, since a token's text depends on its neighbours there."""
    text: str
    """The characters that became whole with it."""


class CacheMissReason(StrEnum):
    """Why the cache does not hold more of a prompt."""

    NONE = "it holds all that it could"
    BARE = "no cache is kept"
    OFF = "reuse is switched off"
    NOTHING = "nothing was cached yet"
    SETTINGS = "it was made with other settings"
    STUCK = "it can't be rolled back"
    DAMAGED = "what was saved of it was damaged"
    STRANGE = "what was saved of it is not of this model and version"
    DIFFERS = "the prompt is another one from there on"


@dataclass(frozen=True, slots=True)
class Reusable:
    """What a prompt would find in the cache, asked before it is sent: `count` tokens need not be read again.

    `same` are those in the cache from the beginning on, used or not.
    """

    count: int = 0
    same: int = 0
    cached: tuple[int, str] | None = None
    """Which token the cache has where the prompt goes another way, and its text; None: it goes no further."""
    hindrance: CacheMissReason = CacheMissReason.NOTHING
    session: int = 0
    """Another conversation, which it was read for."""
