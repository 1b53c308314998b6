"""The values that the meter sends to the window some 30 times a second."""

from dataclasses import dataclass

from app.engine.meter.speeds import LatencyPercentiles
from app.engine.types import Memory, Prompted, Token, VisibleText


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the speed curve: seconds since Send, number of tokens so far, current speed."""

    seconds: float
    tokens: int
    speed: float


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """Progress of the prefill in tokens, without cached ones. `total` 0: unknown."""

    done: int
    total: int
    reused: int
    remaining: float | None
    """Estimated seconds left, from the speed so far; None without a speed."""
    again: bool = False
    """The prompt had been prefilled before, but this KV cache can't be trimmed."""
    stage: str = ""
    """Name of the current step before the prefill; empty in the prefill."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of a run. None: not defined yet, shown as “–”."""

    elapsed: float = 0.0
    """Seconds since Send, at most until the end of the run."""
    first_token: float | None = None
    """TTFT: seconds from Send to the arrival of the first token."""
    prompt_speed: float | None = None
    """Prefill speed in tok/s; known after the run."""
    speed_now: float | None = None
    speed_mean: float | None = None
    end_to_end: float | None = None
    tokens: int = 0
    """Generated tokens, EOS token included."""
    visible: int | None = 0
    """Without the EOS token and a stop string. None: a server counted other tokens than it sent."""
    reasoning: int = 0
    """Number of reasoning tokens among `tokens`."""
    reasoning_before: int = 0
    """Number of reasoning tokens in the reply prefix of a forked answer."""
    pieces: bool = False
    """`tokens` counts pieces of text, because the server hasn't reported a number of tokens."""

    @property
    def thought(self) -> int:
        """Reasoning tokens of the answer, those in the prompt included; 0 if unknown."""
        return 0 if self.pieces else self.reasoning_before + self.reasoning


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Use of the context window: tokens in it, tokens that this run may add, and its size (None: unknown)."""

    used: int = 0
    reserve: int = 0
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """All events since the last frame, and the current numbers.

    `shown`, `tokens` and `points` are *new* since the last frame and come exactly once: append them. `prompted`,
    `memory` and `context` are None if unchanged. `prefill` is None outside the prefill.
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
    """Time of Send, on the clock of the tokens' times."""
    at: float = 0.0
    """Time of this frame, on the same clock, for views that skip frames."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The measurements of a run that is over."""

    figures: Figures
    context: ContextUse | None
    gaps: LatencyPercentiles | None
    prefill_seconds: float | None
