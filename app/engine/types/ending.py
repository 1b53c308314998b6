"""Results of runs and loads: failures, finish reasons, times."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types.events import VisibleText
from app.engine.types.request import LATER, CacheMissReason, ToolCall
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class NetworkTiming:
    """Network timing of a run and what the server reported; all times are measured on this side."""

    connect: float = 0.0
    """Seconds to connect, including TLS."""
    first_byte: float = 0.0
    """Seconds from the connection to the first byte: network latency and the server's work."""
    pieces: int = 0
    """Number of pieces of text: often one per token, without a guarantee."""
    counted: bool = False
    """Whether the server reported token counts; otherwise pieces are counted."""
    whole: bool = False
    """Whether the answer came in one piece, so that token times are unknown."""
    cached: bool = False
    """Whether the server reported its cache hits."""
    seeded: bool = False
    """Whether the seed was sent."""
    ended: bool = False
    """Whether the server reported the end. Otherwise it notices a closed connection only at its next write."""
    disobeyed: bool = field(default=False, metadata=LATER)
    """Whether the answer ended normally but doesn't have the requested output format."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error in the user's language, with advice. Plain text only, so it holds no traceback or array in memory."""

    what: str
    todo: str
    details: str = ""
    kind: str = "error"

    @property
    def sentence(self) -> str:
        return f"{self.what} {self.todo}".strip()


class Reason(StrEnum):
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
        """The displayed text; the enum value is stored."""
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
        """The displayed text with mlx-lm's own name for `stop` and `length`."""
        said = {Reason.STOP: tr("complete ({reason})"), Reason.LENGTH: tr("max tokens ({reason})")}
        return said[self].format(reason=self.value) if self in said else self.words


@dataclass(frozen=True, slots=True)
class RejectedTokens:
    """Draft tokens from token `index` on that the target model rejected."""

    index: int
    ids: tuple[int, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DraftedSteps:
    """Steps with an own number of draft tokens, and their measured cost."""

    steps: int
    """Steps with draft tokens."""
    verified: int = 0
    """Mean number of tokens that such a step verifies, rounded."""
    cost: float = 0.0
    """Time of a step with this many tokens relative to a step with one; 0: not measured."""


@dataclass(frozen=True, slots=True)
class DraftStats:
    """Speculative decoding figures; `steps` counts passes of the target model."""

    proposed: int
    accepted: int
    steps: int
    rejected: tuple[RejectedTokens, ...] = ()
    """One for each step with rejections. A last step that was interrupted isn't included."""
    lookup: DraftedSteps | None = field(default=None, metadata=LATER)
    """None: a draft model proposed the tokens."""
    automatic: DraftedSteps | None = field(default=None, metadata=LATER)
    """The steps of a draft model with an automatic number of draft tokens."""


@dataclass(frozen=True, slots=True)
class ReasoningStats:
    """Effect of the reasoning budget on a run: the end-of-reasoning tag was inserted."""

    put: tuple[int, ...]
    """Indices of inserted tokens."""
    budget: int
    again: int = 0
    """Number of times that the model began reasoning again after the budget was used up."""
    late: int = 0
    """Number of times that the model generated the end tag itself afterwards, because it had continued to reason in its
    answer.
    """


@dataclass(frozen=True, slots=True)
class Times:
    """Times of a run on the monotonic clock, in seconds; 0.0 if the run did not get that far.

    Prefill ends before the last prompt token, whose pass is the first decode step.
    """

    sent: float
    prefill_started: float = 0.0
    prefill_ended: float = 0.0
    first_token: float = 0.0
    last_token: float = 0.0
    stop_asked: float = 0.0
    ended: float = 0.0
    started: float = field(default=0.0, metadata=LATER)
    """When the engine began the run."""


@dataclass(frozen=True, slots=True)
class GpuConditions:
    """Conditions of an NVIDIA GPU during a run."""

    others: float | None = None
    """Share of the GPU's time used by other programs; None if unknown."""
    clock: float | None = None
    """Clock at the end of the run, divided by its maximum; None if unknown."""
    is_slowed: bool = False
    """Whether temperature or power limited the clock."""
    compiled: int = 0
    """Number of kernels that MLX compiled, since its cache on disk lacked them."""
    compile_s: float = 0.0
    """Seconds until the first token in which it compiled them; an estimate."""
    loops: bool = False
    """Whether layers without a kernel for this GPU process the prompt token by token."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions during a run that can slow it."""

    others: float | None = None
    """Share of all processors used by other programs; None if unknown."""
    on_processors: bool = False
    """Whether the model runs on the CPU."""
    page_faults: int = 0
    """Major page faults."""
    weights: int = 0
    """Bytes of the model's weights, without the draft model."""
    kv: int = 0
    """Bytes of the KV cache at the end."""
    draft_share: float = 0.0
    """Bytes of the draft model divided by bytes of the model."""
    again: int = 0
    """Prompt tokens that were in the cache but were prefilled again."""
    hindrance: CacheMissReason = CacheMissReason.NONE
    """Reason for that."""
    place: int = 0
    """Index of the first prompt token that the cache did not hold."""
    processing: float = field(default=0.0, metadata=LATER)
    """Seconds on the engine's thread for penalties, logit bias and the constraint."""
    tf32: bool | None = field(default=None, metadata=LATER)
    """Whether float32 operations could use TF32; None on a device without it."""
    gpu: GpuConditions | None = field(default=None, metadata=LATER)
    """Conditions of the NVIDIA GPU; None on other devices."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Result of a run. `library_reason` is mlx-lm's or the server's own `finish_reason`, unchanged."""

    reason: Reason
    library_reason: str | None = None
    tokens: int = 0
    times: Times = field(default_factory=lambda: Times(0.0))
    released: tuple[VisibleText, ...] = ()
    """Text that was held back as a possible stop string, but was none."""
    hidden: str = ""
    """Generated but hidden text: the matched stop string and the rest of its last token."""
    cut: bytes = b""
    """Bytes of a character that the end of the run cut off."""
    stop_id: int | None = None
    stop_text: str = ""
    stop_at: int | None = None
    """Offset of the stop string in the generated text, in characters."""
    reused: int = 0
    new: int = 0
    drafted: DraftStats | None = None
    calls: tuple[ToolCall, ...] = field(default=(), metadata=LATER)
    """Tool calls in the answer."""
    thinking: ReasoningStats | None = field(default=None, metadata=LATER)
    observing: float = 0.0
    """Seconds spent on recording logprobs."""
    warming: float = 0.0
    """Seconds before prefill for compiling the sampling kernels of new settings."""
    rendering: float = field(default=0.0, metadata=LATER)
    """Seconds before prefill for rendering and tokenizing the prompt."""
    cache_lookup: float = field(default=0.0, metadata=LATER)
    """Seconds before prefill for finding, copying or loading the KV cache."""
    precision: str = ""
    """Dtype of the logits, in mlx's name; empty if unknown. All probabilities of the run have this precision."""
    failure: Failure | None = None
    wire: NetworkTiming | None = None
    """Network timing of a run on a server."""
    conditions: Conditions | None = None

    @property
    def ended_by_server(self) -> bool:
        """Whether a server reported another reason than `stop`, such as a filter or a tool call, or none."""
        return self.reason is Reason.STOP and self.wire is not None and self.library_reason != "stop"

    @property
    def prefilled(self) -> int:
        """New prompt tokens without the last one, which the first decode step processes.

        All of them on a server and in a batch, whose prefill isn't measured.
        """
        times = self.times
        if not (times.started or times.prefill_ended):
            return self.new
        return self.new - (self.new > 0 and self.tokens > 0) if times.prefill_ended else 0

    @property
    def reused_known(self) -> int | None:
        """Cached prompt tokens; None if a server doesn't report them."""
        silent = self.wire is not None and not self.wire.cached and not self.reused
        return None if silent else self.reused

    @property
    def prompt_known(self) -> int | None:
        """Prompt tokens; None if a server doesn't report them."""
        return self.reused + self.new or (None if self.wire is not None else 0)


@dataclass(frozen=True, slots=True)
class Cancellation:
    """Result of a load or a pass that the user cancelled; nothing was loaded or computed."""
