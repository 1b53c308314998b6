"""How a run or a load ended."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types.events import VisibleText
from app.engine.types.form import LATER
from app.engine.types.prompt import CacheMissReason
from app.engine.types.request import ToolCall
from app.engine.types.server import NetworkTiming
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, in the user's words, and what to do about it. Plain text only: it pins nothing in memory."""

    what: str
    todo: str
    details: str = ""
    kind: str = "error"

    @property
    def sentence(self) -> str:
        """What is wrong and what to do, in one piece."""
        return f"{self.what} {self.todo}".strip()


class Reason(StrEnum):
    """Why a run ended."""

    STOP = "stop"
    LENGTH = "length"
    STOP_STRING = "stop string"
    STOPPED = "stopped by you"
    CONTEXT_FULL = "context full"
    FORM = "form at its end"
    DEAD_END = "form without a way on"
    ERROR = "error"

    @property
    def words(self) -> str:
        """As it is shown; the value is what is kept."""
        return {
            Reason.STOP: tr("stop"),
            Reason.LENGTH: tr("length"),
            Reason.STOP_STRING: tr("stop string"),
            Reason.STOPPED: tr("stopped by you"),
            Reason.CONTEXT_FULL: tr("context full"),
            Reason.FORM: tr("output format complete"),
            Reason.DEAD_END: tr("no valid next token"),
            Reason.ERROR: tr("error"),
        }[self]

    @property
    def plain_words(self) -> str:
        """With what `stop` and `length` mean, as mlx-lm and servers call these two."""
        said = {Reason.STOP: tr("complete ({reason})"), Reason.LENGTH: tr("max tokens ({reason})")}
        return said.get(self, "{reason}").format(reason=self.words)


@dataclass(frozen=True, slots=True)
class Rejected:
    """What the draft model proposed for token `index` and those after it, and the model did not take."""

    index: int
    ids: tuple[int, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """What the draft model was worth: `steps` are the passes of the target model."""

    proposed: int
    accepted: int
    steps: int
    rejected: tuple[Rejected, ...] = ()
    """One for each step that threw some away. The proposals of a last step that was cut off are not among them."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """What the budget of thoughts did to a run: their end was put in."""

    put: tuple[int, ...]
    """Which of its tokens were put in, and not chosen by the model."""
    budget: int
    again: int = 0
    """How often the answer began to think once more when it had had all its tokens of thought."""
    late: int = 0
    """How often the model wrote the mark itself after that: it had gone on thinking in its answer."""


@dataclass(frozen=True, slots=True)
class Times:
    """Moments on our own monotonic clock; 0.0 where the run did not get that far.

    The prefill ends before the last prompt token, whose pass is already the first decode step: its speed is
    (new - 1) / (prefill_ended - prefill_started).
    """

    sent: float
    prefill_started: float = 0.0
    prefill_ended: float = 0.0
    first_token: float = 0.0
    last_token: float = 0.0
    stop_asked: float = 0.0
    ended: float = 0.0


@dataclass(frozen=True, slots=True)
class Conditions:
    """What there was beside a run that may have slowed it."""

    others: float | None = None
    """The share of all processors that other programs had; None: nobody knows."""
    on_processors: bool = False
    """The model computes on the same processors."""
    page_faults: int = 0
    """Times that memory had to come from the disk."""
    weights: int = 0
    """Bytes of the model, a draft model not counted."""
    kv: int = 0
    """Bytes of the cache at the end."""
    draft_share: float = 0.0
    """The draft model's bytes ÷ the model's."""
    again: int = 0
    """Tokens of the prompt that the cache had, and that were read all the same."""
    hindrance: CacheMissReason = CacheMissReason.NONE
    """Why they were."""
    place: int = 0
    """The first token of the prompt that the cache did not have there."""
    processing: float = field(default=0.0, metadata=LATER)
    """Seconds that penalties, bias and the form worked on the engine's thread."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The last word on a run. `library_reason` is mlx-lm's or the server's own `finish_reason`, untouched."""

    reason: Reason
    library_reason: str | None = None
    tokens: int = 0
    times: Times = field(default_factory=lambda: Times(0.0))
    released: tuple[VisibleText, ...] = ()
    """Text that was held back as a possible stop string and turned out to be none."""
    hidden: str = ""
    """Text that was written but not shown: the matched stop string and what followed it in the same token."""
    cut: bytes = b""
    """The bytes of a character that the end of the run cut through."""
    stop_id: int | None = None
    stop_text: str = ""
    stop_at: int | None = None
    """Where the stop string begins, in characters of what the model wrote."""
    reused: int = 0
    new: int = 0
    drafted: Drafted | None = None
    calls: tuple[ToolCall, ...] = field(default=(), metadata=LATER)
    """The tools that the answer calls."""
    thinking: Thinking | None = field(default=None, metadata=LATER)
    observing: float = 0.0
    """Seconds of the run that went into observing."""
    warming: float = 0.0
    """Seconds before the prompt that the device took to make ready what chooses the tokens: new settings, new code."""
    precision: str = ""
    """What the logits were computed in, as mlx calls it: all probabilities of the run are of that. Empty: not known."""
    failure: Failure | None = None
    wire: NetworkTiming | None = None
    """What the network took, where the model runs elsewhere."""
    conditions: Conditions | None = None

    @property
    def ended_by_server(self) -> bool:
        """A server ended the answer and reported something other than `stop`, or nothing: a filter or a tool call."""
        return self.reason is Reason.STOP and self.wire is not None and self.library_reason != "stop"

    @property
    def reused_known(self) -> int | None:
        """None where a server does not say how many tokens were in its cache."""
        silent = self.wire is not None and not self.wire.cached and not self.reused
        return None if silent else self.reused

    @property
    def prompt_known(self) -> int | None:
        """How many tokens the prompt had; None where a server did not count them."""
        return self.reused + self.new or (None if self.wire is not None else 0)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A load or a pass over a prompt that the user called off; nothing is loaded, nothing is known."""
