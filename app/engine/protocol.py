"""The interface of all engines, and what they share. All calls come from the same thread."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar, runtime_checkable

from app.engine.errors import AbortedError
from app.engine.jobs import Job, Result
from app.engine.types import (
    AT_THE_END,
    Cancellation,
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
    Times,
    Token,
    Tuning,
)

Emit = Callable[[Event], None]
Value = TypeVar("Value")
FORGET_MEMORY = -1
Collect = Callable[[], object]
"""Collects garbage on a thread where that is safe: with a window, not on the engine thread."""

_own = threading.local()


class StopFlag:
    """Requests the end of one load or run. Each has its own flag, so a late click can't stop the next one.

    It is created at Send: all times of a run start at `made_at`.
    """

    __slots__ = ("_event", "asked_at", "made_at")

    def __init__(self) -> None:
        self._event = threading.Event()
        self.made_at = time.monotonic()
        self.asked_at = 0.0

    def ask(self) -> None:
        """Request the end. Only the first call counts, since the stop latency is measured from it."""
        if not self._event.is_set():
            self.asked_at = time.monotonic()
            self._event.set()

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for a request or until the time is over; return whether there was one."""
        return self._event.wait(seconds)


@contextmanager
def stop_scope(stop: StopFlag) -> Iterator[None]:
    """Set the flag that `is_cancelled` reads on this thread, for code that can't be passed one."""
    before, _own.stop = getattr(_own, "stop", None), stop
    try:
        yield
    finally:
        _own.stop = before


def is_cancelled() -> bool:
    stop: StopFlag | None = getattr(_own, "stop", None)
    return stop is not None and stop.asked


def failed_run(stop: StopFlag, failure: Failure | None, reason: Reason = Reason.ERROR) -> Finish:
    """Return the Finish of a run that did not start, or failed."""
    return Finish(reason, times=Times(stop.made_at, stop_asked=stop.asked_at, ended=time.monotonic()), failure=failure)


class Engine(Protocol):
    """Interface of an engine: loads models and generates. No method raises for user errors: failures are values."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        """Open a model in place of the current one, which is unloaded first."""

    def has_model(self) -> bool:
        """Whether a model is open."""

    def render(self, source: PromptSource) -> ExactPrompt | Failure:
        """Return the exact prompt that `generate` would send."""

    def token_texts(self, source: PromptSource) -> tuple[SpelledToken, ...] | Failure:
        """Return the text that each token of this prompt adds."""

    def reusable(self, ids: tuple[int, ...], request: Request) -> Reusable:
        """Return how many of these ids a run with this request would reuse from the cache, and why not more."""

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        """Run to the end. Emits `PromptEvent`, `Prefill`, `Token` and `Memory` events."""

    def run_job(self, job: Job[Result], emit: Emit, stop: StopFlag) -> Result | Failure | Cancellation:
        """Do a job besides generation; the conversation's KV cache stays as it is. Emits `Prefill`."""

    def tune(self, tuning: Tuning) -> None:
        """Apply these limits; an open model stays open."""

    def memory(self) -> Memory:
        """Return the current memory use of the allocator."""

    def unload(self) -> None:
        """Unload the model and free its memory."""

    def close(self) -> None:
        """Unload and clean the thread. The last call."""


@runtime_checkable
class BatchEngine(Engine, Protocol):
    """An engine that can run several requests at once."""

    def generate_together(
        self, requests: Sequence[Request], emits: Sequence[Emit], stop: StopFlag
    ) -> tuple[Finish, ...]:
        """Run all requests as one batch, each with its own `emit`; only if the model `can.batch`."""


@runtime_checkable
class CachePersistence(Engine, Protocol):
    """An engine that can save its KV caches on disk, if its limits say so."""

    def save(self) -> None:
        """Write the caches that may be needed after the next start. Never fails."""

    def forget(self, session: int) -> None:
        """Delete the caches of a session, in memory and on disk; 0: of all sessions.

        FORGET_MEMORY: for a session without a lasting id, drop all caches in memory and leave the disk alone.
        """


def unwrap(outcome: Value | Failure | Cancellation, stop: StopFlag) -> Value:
    """Return the result of an engine call. Raise AbortedError where there is none, or a stop was asked for."""
    if stop.asked or isinstance(outcome, Cancellation):
        raise AbortedError(Cancellation())
    if isinstance(outcome, Failure):
        raise AbortedError(outcome)
    return outcome


Item = TypeVar("Item")


class TokenBatch(Generic[Item]):
    """Waiting tokens; `tokens` converts all of them at once."""

    def __init__(self, interval: int, emit: Emit, tokens: Callable[[list[Item]], Iterable[Token]]) -> None:
        self._interval, self._emit, self._tokens = interval, emit, tokens
        self._waiting: list[Item] = []

    def add(self, item: Item) -> bool:
        """Add a token and return whether the batch is full."""
        self._waiting.append(item)
        return self._interval != AT_THE_END and len(self._waiting) >= self._interval

    def hand_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        for token in self._tokens(waiting):
            self._emit(token)
