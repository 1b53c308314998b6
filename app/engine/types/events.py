"""What comes out of the engine while it works."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.types.alternatives import Alternative, ConstraintStats, SamplingStats
from app.engine.types.form import LATER
from app.engine.types.prompt import ExactPrompt


class Channel(StrEnum):
    """In which section of its reply the model is speaking."""

    NORMAL = "normal"
    REASONING = "reasoning"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class VisibleText:
    """Text that may be shown, and in which voice."""

    voice: Channel
    text: str
    start: int = field(default=0, compare=False)
    """Where it begins in all that the run has written, in characters."""


@dataclass(frozen=True, slots=True)
class Loading:
    """How far a load has come, in bytes of weights. `total` 0: this stage has nothing to count."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Prompted:
    """The prompt as sent, how much of it the cache already held, and why the rest was not."""

    prompt: ExactPrompt
    reused: int
    new: int
    first_difference: int | None = None
    """Index of the first prompt token that the cache did not hold; None when nothing was cached."""
    cache_note: str = ""
    shown: tuple[VisibleText, ...] = ()
    """What may be shown of the answer's beginning, where the prompt has it: it starts before what the run writes."""
    stuck: bool = False
    """The cache held some of it, but can't be rolled back, so all of it is read again."""
    session: int = 0
    """Another conversation, which the beginning was read for."""


@dataclass(frozen=True, slots=True)
class Prefill:
    """Prompt tokens processed so far, those from the cache left out. `total` 0: this path tells no progress."""

    done: int
    total: int
    at: float


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """The choice behind one token: after penalties, before temperature and truncation."""

    chosen: Alternative
    rank: int
    top: Sequence[Alternative]
    """Best first; the engine and the journal hand out a `TopTokens`."""
    entropy: float
    """In nats."""
    eos_probability: float
    rest: float
    """Probability of everything that is not in `top`."""
    drawn: SamplingStats | None = None
    """What the settings made of it; None: at temperature 0, on a server, in older files."""
    formed: ConstraintStats | None = field(default=None, metadata=LATER)
    """None where no form held. All that stands above is of what it left."""
    deviation: float | None = field(default=None, metadata=LATER)
    """Standard deviation of the logits of all possible tokens; None: on a server, in older files."""

    @property
    def wanted(self) -> Alternative | None:
        """The forbidden token that the model would rather have said; None: its own first choice was allowed."""
        formed = self.formed
        first = formed.forbidden[0] if formed is not None and formed.forbidden else None
        best = max((each.probability for each in (self.chosen, *self.top[:1])), default=0.0)
        return first if formed and first and first.probability > best * (1 - formed.removed) else None


@dataclass(frozen=True, slots=True)
class Token:
    """One `GenerationResponse`. The texts of all tokens joined are what the model wrote; `shown` may be seen."""

    index: int
    id: int
    text: str
    shown: tuple[VisibleText, ...]
    at: float
    from_draft: bool = False
    observed: TokenLogprobs | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """Caches of conversations on the disk: bytes there, bytes written since the start, seconds of reading spared, and
    why nothing of the open model's is written."""

    size: int = 0
    written: int = 0
    seconds: float = 0.0
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """The device's allocator, in bytes. `limit` 0: the device names none."""

    active: int
    cache: int
    peak: int
    limit: int
    weights: int
    kv: int
    kept: int = 0
    """Caches of conversations that were left."""
    saved: Saved | None = None
    """Those on the disk, where they were just looked at."""


Event = Loading | Prompted | Prefill | Token | Memory
