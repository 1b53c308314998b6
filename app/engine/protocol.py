"""The one interface of every engine; all calls come from one and the same thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from app.engine.types import (
    Attention,
    AttentionMatrix,
    Decoded,
    Difference,
    Event,
    ExactPrompt,
    Failure,
    Finish,
    Inside,
    LeftOut,
    LoadRequest,
    Matrix,
    Memory,
    Model,
    PromptSource,
    Reads,
    Reason,
    Request,
    Reusable,
    Speeds,
    Spelt,
    States,
    Stopped,
    Times,
    Tuning,
    Weighed,
    Weight,
    Where,
)

if TYPE_CHECKING:
    from app.engine.distributions import Distributions  # and numpy with it, which waits

Emit = Callable[[Event], None]
Begun = list[Weight | None] | None
FORGET_MEMORY = -1
Collect = Callable[[], object]
"""Collects garbage wherever that is safe; beside a window that is not the engine's own thread."""

_own = threading.local()


class StopFlag:
    """Asks one load or one run to end. Each has its own, so a late click can't touch the next one.

    It is made at the moment of Send, and `made_at` is where all times of a run begin.
    """

    __slots__ = ("_event", "asked_at", "made_at")

    def __init__(self) -> None:
        self._event = threading.Event()
        self.made_at = time.monotonic()
        self.asked_at = 0.0

    def ask(self) -> None:
        """Ask once; only the first call counts, since the latency is measured from it."""
        if not self._event.is_set():
            self.asked_at = time.monotonic()
            self._event.set()

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until asked or until the time is over; tells whether it was asked."""
        return self._event.wait(seconds)


@contextmanager
def heeding(stop: StopFlag) -> Iterator[None]:
    """Within it, on this thread, whatever can't be handed the flag asks whether it was `called_off`."""
    before, _own.stop = getattr(_own, "stop", None), stop
    try:
        yield
    finally:
        _own.stop = before


def called_off() -> bool:
    stop: StopFlag | None = getattr(_own, "stop", None)
    return stop is not None and stop.asked


def failed_run(stop: StopFlag, failure: Failure | None, reason: Reason = Reason.ERROR) -> Finish:
    """The end of a run that was not even begun, or not survived."""
    return Finish(reason, times=Times(stop.made_at, stop_asked=stop.asked_at, ended=time.monotonic()), failure=failure)


class Engine(Protocol):
    """Load, generate, close. Nothing here raises for what a user did: failures are values."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        """Open a model in place of the present one, which is let go first."""

    def has_model(self) -> bool:
        """Whether a model is open."""

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        """The exact prompt that `generate` would send."""

    def take_apart(self, source: PromptSource) -> tuple[Spelt, ...] | Failure:
        """The tokens of a text by itself, or these tokens: what each one adds to it."""

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        """What a run of these ids with the settings of `request` would find in the cache now, and why not more."""

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        """Run to the end, emitting `Prompted`, `Prefill`, `Token` and `Memory` events on the way."""

    def weigh(
        self, source: PromptSource, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> Weighed | Failure | Stopped:
        """How surprising each token of a prompt is: one pass, told by `Prefill`, which leaves the cache as it is."""

    def tune(self, tuning: Tuning) -> None:
        """From now on; a model that is open stays open."""

    def memory(self) -> Memory:
        """The allocator as it stands."""

    def unload(self) -> None:
        """Let the model go, so that its memory is free."""

    def close(self) -> None:
        """Unload and leave the thread clean; nothing may be called afterwards."""


@runtime_checkable
class BatchEngine(Engine, Protocol):
    """An engine that can do several things at once."""

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        """Run all of them at once, as one batch, each with its own `emit`; only where the model `can.batch`."""


@runtime_checkable
class SavingEngine(Engine, Protocol):
    """An engine whose caches may outlive the program, where its tuning says so."""

    def save(self) -> None:
        """Write what may be wanted after the next start; whatever goes wrong with that."""

    def forget(self, session: int) -> None:
        """A session was deleted, or with 0 all of them: nothing that was kept or saved of it stays.

        With FORGET_MEMORY one that has no number here: nothing stays in memory, and the disk is left alone.
        """


@runtime_checkable
class ComparingEngine(Engine, Protocol):
    """An engine that sees whole distributions: two models of one vocabulary can be held against each other.

    `begun` gets the weight of each token as it comes; a pass that was stopped goes on from those that are in it.
    """

    def weigh_into(
        self, source: PromptSource, kept: Distributions | None, emit: Emit, stop: StopFlag, begun: Begun = None
    ) -> Weighed | Failure | Stopped:
        """`weigh`, keeping what the model would have said at each place."""

    def weigh_against(
        self,
        source: PromptSource,
        kept: Distributions,
        found: list[Difference],
        emit: Emit,
        stop: StopFlag,
        begun: Begun = None,
    ) -> Weighed | Failure | Stopped:
        """`weigh`, adding how far the first model is from this one at each place; in the order in which it was kept."""


@runtime_checkable
class MeasuringEngine(Engine, Protocol):
    """An engine that can tell what a token of its model costs at the least, and what it costs."""

    def token_reads(self, context: int) -> Reads | Failure | Stopped:
        """What a decoding step with so many tokens before it must read."""

    def speeds(self, matrix: Matrix, working_set: int) -> Speeds | Failure | Stopped:
        """How fast this machine reads and multiplies such matrices; two seconds."""

    def decode(self, context: int, emit: Emit, stop: StopFlag) -> Decoded | Failure | Stopped:
        """How fast the model writes with so many tokens before it, told by `Prefill`; no cache is touched."""

    def measure_run(self, request: Request, emit: Emit, keep: Emit, stop: StopFlag) -> Where | Failure | Stopped:
        """The same run again, for where the time of its tokens goes; no cache is touched. `keep` is a journal's."""


@runtime_checkable
class LookingEngine(Engine, Protocol):
    """An engine that can tell what stands inside its model at a token."""

    def look_inside(
        self, source: PromptSource, places: range, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> Inside | Failure | Stopped:
        """What each layer would have said behind these tokens of a prompt, told by `Prefill`; no cache is touched."""

    def attention(
        self, source: PromptSource, place: int, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> Attention | Failure | Stopped:
        """What each head attends to from this token of a prompt back."""

    def leave_out(
        self,
        source: PromptSource,
        answer: int,
        place: int,
        parts: Sequence[range],
        emit: Emit,
        stop: StopFlag,
        strength: float = 1.0,
    ) -> LeftOut | Failure | Stopped:
        """The odds of the tokens from `answer` on, when each of these parts before them is left out; with those of
        what could stand at `place`."""

    def attention_matrix(
        self, source: PromptSource, layer: int, head: int | None, stop: StopFlag, strength: float = 1.0
    ) -> AttentionMatrix | Failure | Stopped:
        """What one head attends to from each token of a prompt; None: the mean over the heads of the layer."""

    def hidden_states(
        self, source: PromptSource, place: int, emit: Emit, stop: StopFlag, strength: float = 1.0
    ) -> States | Failure | Stopped:
        """What each layer hands on at this token of a prompt, and how alike that is at the tokens around it."""
