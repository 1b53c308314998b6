"""What goes into the engine: a prompt, how to choose tokens, when to end."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.engine.types.form import LATER, Form
from app.i18n import tr


class Role(StrEnum):
    """Who wrote a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """What a tool gave back, typed by the user."""

    @property
    def words(self) -> str:
        """As it is shown."""
        known = {Role.SYSTEM: tr("System"), Role.USER: tr("You"), Role.ASSISTANT: tr("Model"), Role.TOOL: tr("Tool")}
        return known[self]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model asked a tool for, as mlx-lm's own parser reads it, or a server tells it."""

    name: str
    arguments: str
    """An object in JSON."""
    text: str = ""
    """As the model wrote it between its marks, or as it stands in the answer."""
    wrong: str = ""
    """Why it can't be read as a call."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = field(default=(), metadata=LATER)
    """Of tools, which the model made behind what it said."""


Argument = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """A conversation for the chat template; `reply_start` is the beginning put into the model's mouth."""

    messages: tuple[Message, ...]
    reply_start: str = ""
    arguments: tuple[tuple[str, Argument], ...] = ()
    tools: str = field(default="", metadata=LATER)
    """What the model may call, as the user described it in JSON."""


@dataclass(frozen=True, slots=True)
class RawPrompt:
    """Text that goes to the model as it stands, with no template."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyPrefix:
    """The end of a prompt of ids is how the answer begins: it is read as if this run had written it."""

    start: int
    """Which of the ids is the answer's first."""
    reasoning: bool = False
    """The answer begins inside a reasoning section."""
    text: str = ""
    """Words behind the ids, as the tokens that they are by themselves: what stands before them stays as it is."""


@dataclass(frozen=True, slots=True)
class TokenPrompt:
    """The ids themselves: what Continue, a fork and a replay send."""

    ids: tuple[int, ...]
    begun: ReplyPrefix | None = None
    raw: bool = False
    """They are of a text that went to the model as it stood: no voices are told apart in what follows it."""
    written: int = field(default=0, metadata=LATER)
    """So many of the last ones an answer has already: its form and its thinking budget hold for them too."""


PromptSource = ChatPrompt | RawPrompt | TokenPrompt


@dataclass(frozen=True, slots=True)
class Range:
    """The limits of one number, and the value that changes nothing."""

    minimum: float
    maximum: float
    neutral: float
    whole: bool = False
    besides: float | None = None
    """One value outside the limits that has a meaning of its own."""
    is_token_count: bool = False
    """It must stay below the vocabulary's size, too: mlx fails there."""

    def allows(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int if self.whole else (int, float)):
            return False
        return value == self.besides or self.minimum <= value <= self.maximum

    def __str__(self) -> str:
        least, most = limit_text(self.minimum), limit_text(self.maximum)
        if self.besides is None:
            return tr("from {least} to {most}").format(least=least, most=most)
        return tr("{besides} or from {least} to {most}").format(besides=f"{self.besides:g}", least=least, most=most)


def limit_text(value: float) -> str:
    """A limit as a person writes it."""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


LARGEST_SEED = 2**63 - 1
"""mlx takes twice as many, but a column of SQLite and most of what reads JSON hold no more."""
RANGE = "range"


def _number(default: float, limits: Range, **metadata: bool) -> Any:  # noqa: ANN401
    """A field with its range, which `app.engine.ranges` collects."""
    return field(default=default, metadata={RANGE: limits, **metadata})


_WINDOW = Range(0, 1_000_000, 20, whole=True)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen. The defaults of everything but temperature change nothing.

    A new setting is a field here (`**LATER`: files of earlier versions have none), an entry of `app.engine.catalogue`,
    and what each of engine, script and server makes of it.
    """

    temperature: float = _number(0.7, Range(0.01, 10, 1, besides=0))
    top_p: float = _number(1.0, Range(0.01, 1, 1))
    top_k: int = _number(0, Range(0, 1_000_000, 0, whole=True, is_token_count=True))
    min_p: float = _number(0.0, Range(0, 1, 0))
    min_tokens_to_keep: int = _number(1, Range(1, 1_000, 1, whole=True, is_token_count=True))
    xtc_probability: float = _number(0.0, Range(0, 1, 0))
    xtc_threshold: float = _number(0.1, Range(0, 0.5, 0.1))
    repetition_penalty: float = _number(1.0, Range(0.1, 10, 1))
    repetition_window: int = _number(20, _WINDOW)
    presence_penalty: float = _number(0.0, Range(-10, 10, 0))
    presence_window: int = _number(20, _WINDOW)
    frequency_penalty: float = _number(0.0, Range(-10, 10, 0))
    frequency_window: int = _number(20, _WINDOW)
    logit_bias: tuple[tuple[int, float], ...] = field(default=(), metadata={RANGE: Range(-100, 100, 0)})
    """The range is that of each bias."""
    seed: int = _number(0, Range(0, LARGEST_SEED, 0, whole=True))
    adapter_strength: float = _number(1.0, Range(0, 2, 1))
    """Factor on the scale of the open adapter; 0: the model without it."""
    top_n_sigma: float = _number(0.0, Range(0, 10, 0), **LATER)


ENDLESS = -1


@dataclass(frozen=True, slots=True)
class Limits:
    """When to end. `max_tokens` of ENDLESS runs until the context is full."""

    max_tokens: int = 256
    stop_strings: tuple[str, ...] = ()
    stop_ids: tuple[int, ...] = ()
    think_budget: int = field(default=ENDLESS, metadata=LATER)
    """So many tokens an answer may think; then the mark that ends its thoughts is put in."""


@dataclass(frozen=True, slots=True)
class KV:
    """What to do with keys and values: `enabled` False is the bare loop that recomputes all for each token."""

    enabled: bool = True
    reuse: bool = True
    bits: int | None = None
    group_size: int = 64
    quantized_start: int = 0
    max_size: int | None = None


AT_THE_END = 0


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides one run."""

    prompt: PromptSource
    sampling: Sampling = field(default_factory=Sampling)
    limits: Limits = field(default_factory=Limits)
    kv: KV = field(default_factory=KV)
    form: Form = field(default_factory=Form, metadata=LATER)
    observe: int = 0
    """How many candidates to record for each token; 0 observes nothing."""
    draft_tokens: int = 0
    """How many tokens the draft model proposes a step; 0 leaves it out."""
    interval: int = 1
    """Tokens are handed over every so many; AT_THE_END hands over all of them when the run is over."""
    session: int | None = field(default=None, metadata=LATER)
    """Whose conversation it is, 0 for one without a number: it finds the caches of all that were left. None: of
    nobody's, as experiments and replays are; it finds what the last run has left, and no more."""

    @property
    def raw(self) -> bool:
        """A text goes on as text: nobody speaks in it, so the model's marks are words like all others."""
        return isinstance(self.prompt, RawPrompt) or (isinstance(self.prompt, TokenPrompt) and self.prompt.raw)


@dataclass(frozen=True, slots=True)
class LoadRequest:
    """Which model to open: a folder, or an id in the Hugging Face cache."""

    model: str
    draft: str | None = None
    anyway: bool = False
    """Also if it needs more memory than is free, which whoever asks has been told."""
    adapter: str | None = None
    """Its folder. Changing it alone leaves the model in memory."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the user may hold the engine to; 0 leaves it to the engine. None of it changes what a model says."""

    memory_limit: int = 0
    """Bytes that models and their caches should stay under."""
    prefill_chunk: int = 0
    """How many prompt tokens to process at a time."""
    kept_bytes: int = 0
    """How much the caches of conversations that were left may take."""
    saved_bytes: int = 0
    """How much of them may lie on the disk; here 0 is none."""
    saved_to: str = ""
    """In this folder."""
