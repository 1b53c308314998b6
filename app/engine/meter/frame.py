"""What the meter hands to the screen ~30 times a second, as frozen values."""

from dataclasses import dataclass

from app.engine.meter.speeds import Gaps
from app.engine.types import Memory, Prompted, Token, VisibleText


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the speed curve: seconds since Send, number of tokens by then, speed now."""

    seconds: float
    tokens: int
    speed: float


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """Prompt tokens processed and to process, those from the cache left out. `total` 0: no progress is told."""

    done: int
    total: int
    reused: int
    remaining: float | None
    """Seconds, estimated from the speed so far; None before there is one."""
    again: bool = False
    """All of it had been read, but the cache can't be rolled back."""
    stage: str = ""
    """What is done before that."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The number cards. None is shown as "–": the number is not defined yet."""

    elapsed: float = 0.0
    """Seconds since Send; stands still when the run is over."""
    first_token: float | None = None
    """Seconds from Send to the arrival of the first token."""
    prompt_speed: float | None = None
    """Known when the run is over."""
    speed_now: float | None = None
    speed_mean: float | None = None
    end_to_end: float | None = None
    tokens: int = 0
    """As the model counts: the end token included."""
    visible: int | None = 0
    """As the reader counts: without the end token or a stop string. None: a server counted other tokens than came."""
    reasoning: int = 0
    """How many of `tokens` were written in the reasoning section."""
    reasoning_before: int = 0
    """How many tokens of that section the prompt had already, where the answer was forked."""
    pieces: bool = False
    """What is counted are pieces of text: a server writes, and has not said how many tokens they are."""

    @property
    def thought(self) -> int:
        """The tokens of the answer's reasoning, whoever wrote them; 0 where they are not known."""
        return 0 if self.pieces else self.reasoning_before + self.reasoning


@dataclass(frozen=True, slots=True)
class ContextUse:
    """How full the model's context is: tokens in use, what this run may still add, the length (None: unknown)."""

    used: int = 0
    reserve: int = 0
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """All that happened since the last frame, and the figures as they stand.

    `shown`, `tokens` and `points` are *new* since the last frame and come exactly once: append them.
    `prompted`, `memory` and `context` are None when there is nothing new to tell, `prefill` outside the prefill.
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
    """The moment of Send, on the clock of its tokens' times."""
    at: float = 0.0
    """When this frame was made, on the clock of all times: what shows it less often measures by this."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What remains of a run's measuring when it is over."""

    figures: Figures
    context: ContextUse | None
    gaps: Gaps | None
    prefill_seconds: float | None
