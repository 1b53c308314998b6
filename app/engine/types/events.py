"""Events that the engine emits during a load or a run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types.alternatives import Alternative, ConstraintStats, SamplingStats
from app.engine.types.request import LATER, ExactPrompt


class Channel(StrEnum):
    """Section of a reply: answer, reasoning or tool call."""

    NORMAL = "normal"
    REASONING = "reasoning"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class VisibleText:
    voice: Channel
    text: str
    start: int = field(default=0, compare=False)
    """Offset in the generated text, in characters."""


@dataclass(frozen=True, slots=True)
class Loading:
    """Progress of a load in bytes of weights. `total` is 0 for a stage without a count."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class PromptEvent:
    """The prompt as sent, its cached tokens, and why the rest was not cached."""

    prompt: ExactPrompt
    reused: int
    new: int
    first_difference: int | None = None
    """Index of the first prompt token that the cache did not hold; None if nothing was cached."""
    cache_note: str = ""
    shown: tuple[VisibleText, ...] = ()
    """Displayed part of the reply prefix: it precedes what the run generates."""
    stuck: bool = False
    """Whether the cache held a part of the prompt but can't be trimmed, so that all of it is prefilled."""
    session: int = 0
    """Another session whose cache was reused; 0: none."""


@dataclass(frozen=True, slots=True)
class Prefill:
    """Prompt tokens processed so far, without cached ones. `total` is 0 if this path reports no progress."""

    done: int
    total: int
    at: float


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """The distribution at one token: after penalties, before temperature and truncation."""

    chosen: Alternative
    rank: int
    top: Sequence[Alternative]
    """Alternatives, best first. The engine and the session database use `TopTokens`."""
    entropy: float
    """Entropy in nats."""
    eos_probability: float
    rest: float
    """Probability of all tokens that aren't in `top`."""
    drawn: SamplingStats | None = None
    """Sampling statistics; None at temperature 0, for servers and in older files."""
    formed: ConstraintStats | None = field(default=None, metadata=LATER)
    """Effect of constrained decoding; None without it. The fields above are after the constraint."""
    deviation: float | None = field(default=None, metadata=LATER)
    """Standard deviation of the logits of all possible tokens; None for servers and in older files."""

    @property
    def wanted(self) -> Alternative | None:
        """The banned token that was likelier than every allowed one; None if the first choice was allowed."""
        formed = self.formed
        first = formed.forbidden[0] if formed is not None and formed.forbidden else None
        best = max((each.probability for each in (self.chosen, *self.top[:1])), default=0.0)
        return first if formed and first and first.probability > best * (1 - formed.removed) else None


@dataclass(frozen=True, slots=True)
class Token:
    """One generated token. The joined texts of all tokens are the generated text; `shown` is the displayed text."""

    index: int
    id: int
    text: str
    shown: tuple[VisibleText, ...]
    at: float
    from_draft: bool = False
    observed: TokenLogprobs | None = None


@dataclass(frozen=True, slots=True)
class DiskCacheStats:
    """KV caches on disk, in bytes: stored, and written since startup.

    Also the seconds of prefill saved, and why the open model's caches can't be saved.
    """

    size: int = 0
    written: int = 0
    seconds: float = 0.0
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of MLX's allocator, in bytes. `limit` is 0 if the device reports none."""

    active: int
    cache: int
    peak: int
    limit: int
    weights: int
    kv: int
    kept: int = 0
    """Bytes of the KV caches of other conversations."""
    saved: DiskCacheStats | None = None
    """Caches on disk, if they were just checked."""
    on_cpu: bool = False
    """Whether MLX's CPU backend computes."""
    device: str = ""
    """Name of the device whose memory this is; empty if unknown."""


Event = Loading | PromptEvent | Prefill | Token | Memory
