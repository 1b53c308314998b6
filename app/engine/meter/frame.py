"""The values that the meter gives to the window some 30 times a second."""

from dataclasses import dataclass

from app.engine.meter.speeds import LatencyPercentiles
from app.engine.types import Memory, Prompted, Token, VisibleText


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the speed curve: seconds since Send, number of tokens by then, speed now."""

    seconds: float
    tokens: int
    speed: float


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """Prompt tokens prefilled and to prefill, without those from the cache. `total` 0: the progress is not known."""

    done: int
    total: int
    reused: int
    remaining: float | None
    """Seconds, estimated from the speed so far; None before there is one."""
    again: bool = False
    """All of it had been prefilled before, but this KV cache can't be trimmed."""
    stage: str = ""
    """What is prepared before the prefill."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of a run. None: not defined yet, shown as “–”."""

    elapsed: float = 0.0
    """Seconds since Send, at most until the end of the run."""
    first_token: float | None = None
    """TTFT: seconds from Send to the arrival of the first token."""
    prompt_speed: float | None = None
    """Known when the run is over."""
    speed_now: float | None = None
    speed_mean: float | None = None
    end_to_end: float | None = None
    tokens: int = 0
    """Generated tokens, EOS token included."""
    visible: int | None = 0
    """Without the EOS token and a stop string. None: a server counted other tokens than it sent."""
    reasoning: int = 0
    """How many of `tokens` are reasoning."""
    reasoning_before: int = 0
    """How many tokens of reasoning the prompt of a forked answer began with."""
    pieces: bool = False
    """`tokens` counts pieces of text: the server has not said how many tokens they are."""

    @property
    def thought(self) -> int:
        """Tokens of reasoning in the answer, those of the prompt included; 0 where they are not known."""
        return 0 if self.pieces else self.reasoning_before + self.reasoning


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens in the context, tokens that this run may still add, and the context length (None: unknown)."""

    used: int = 0
    reserve: int = 0
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """All events since the last frame, and the present figures.

    `shown`, `tokens` and `points` are *new* since the last frame and come exactly once: append them.
    `prompted`, `memory` and `context` are None without news, `prefill` outside the prefill.
    """

    shown: tuple[VisibleText, ...] = ()
    tokens: tuple[Token, ...] = ()
    points: tuple[Point, ...] = ()
    figures: Figures = Figures()
    context: ContextUse | None = None
    prefill: PrefillProgress | None = None
    prompted: Prompted | None = None
    memory: Memory | None = None
    sent: float = 0.0
    """The time of Send, on the clock of the tokens' times."""
    at: float = 0.0
    """When this frame was made, on the same clock; views that skip frames measure by it."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The measurements of a run that is over."""

    figures: Figures
    context: ContextUse | None
    gaps: LatencyPercentiles | None
    prefill_seconds: float | None
