"""The one interface of every engine; all calls come from one and the same thread."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar, runtime_checkable

from app.engine.errors import AbortedError
from app.engine.jobs import Job, Result
from app.engine.types import (
    Event,
    ExactPrompt,
    Failure,
    Finish,
    LoadRequest,
    Memory,
    Model,
    PromptSource,
    Reason,
    Request,
    Reusable,
    SpelledToken,
    Stopped,
    Times,
    Tuning,
)

Emit = Callable[[Event], None]
Value = TypeVar("Value")
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
def stop_scope(stop: StopFlag) -> Iterator[None]:
    """Within it, on this thread, whatever can't be handed the flag asks whether it was `is_cancelled`."""
    before, _own.stop = getattr(_own, "stop", None), stop
    try:
        yield
    finally:
        _own.stop = before


def is_cancelled() -> bool:
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

    def take_apart(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        """The tokens of a text by itself, or these tokens: what each one adds to it."""

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        """What a run of these ids with the settings of `request` would find in the cache now, and why not more."""

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        """Run to the end, emitting `Prompted`, `Prefill`, `Token` and `Memory` events on the way."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Stopped:
        """Do something besides generation; the conversation's KV cache stays as it is. Emits `Prefill`."""

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
class CachePersistence(Engine, Protocol):
    """An engine whose caches may outlive the program, where its tuning says so."""

    def save(self) -> None:
        """Write what may be wanted after the next start; whatever goes wrong with that."""

    def forget(self, session: int) -> None:
        """A session was deleted, or with 0 all of them: nothing that was kept or saved of it stays.

        With FORGET_MEMORY one that has no number here: nothing stays in memory, and the disk is left alone.
        """


def unwrap(outcome: Value | Failure | Stopped, stop: StopFlag) -> Value:
    """Return the result of an engine call. Raise AbortedError where there is none, or a stop was asked for."""
    if stop.asked or isinstance(outcome, Stopped):
        raise AbortedError(Stopped())
    if isinstance(outcome, Failure):
        raise AbortedError(outcome)
    return outcome
