"""The prefill: its step size, so that Stop never waits long for a step, its progress, its times, and Stop."""

import time
from collections.abc import Callable

from app.engine.protocol import Emit, StopFlag
from app.engine.types import Prefill

CHUNK_S = 0.125
"""Seconds for a step: half of the 250 ms that Stop may take, since later steps are slower than the measured ones."""
CHUNK_MIN = 16
CHUNK_MAX = 2_048


class PrefillPace:
    """Learns the prefill speed from measurements."""

    def __init__(self) -> None:
        self.tokens_per_s = 0.0
        self._fixed = 0

    def learn(self, tokens: int, seconds: float) -> None:
        """Add a measurement. Only the newest one counts, since it includes the current load of the computer."""
        if tokens >= CHUNK_MIN and seconds > 0:
            self.tokens_per_s = tokens / seconds

    def set_step_size(self, size: int) -> None:
        """Use this size; 0: the measured speed decides."""
        self._fixed = size

    def step_size(self) -> int:
        """Return the size of a prefill step: a power of two, which suits devices."""
        if self._fixed:
            return self._fixed
        wanted = int(self.tokens_per_s * CHUNK_S)
        size = CHUNK_MIN
        while size * 2 <= min(wanted, CHUNK_MAX):
            size *= 2
        return size


class PrefillStoppedError(Exception):
    """Raised through the library when the user stops a prefill; finished chunks stay in the cache."""


class PrefillWatch:
    """Called for each chunk by the library's callback, or by a ModelHook where the library drops that."""

    def __init__(
        self,
        new: int,
        emit: Emit,
        stop: StopFlag,
        read: Callable[[], None] = lambda: None,
        between: Callable[[float], None] = lambda now: None,
    ) -> None:
        """`read` is called when all but the last token are cached, `between` after each chunk."""
        self.new = new
        self._read, self._between = read, between
        self._emit, self._stop = emit, stop
        self._passed = 0
        self.done = 0
        self.started = 0.0
        self.ended = 0.0

    def progress(self, done: int, _total: int) -> None:
        """Report that `done` tokens are cached. The last call comes just before the first token is emitted."""
        now = time.monotonic()
        self.started = self.started or now
        self.done = done
        self._emit(Prefill(done, self.new, now))
        if done < self.new:
            self.ended = now
            self._between(now)
            if self._stop.asked:
                raise PrefillStoppedError
            if done == self.new - 1:
                self._read()

    def decodes(self, count: int) -> bool:
        """Return whether a pass of the target model is a decode step, whose logits are sampled."""
        self._passed += count
        return self._passed >= self.new

    def target_pass(self, count: int) -> bool:
        """Count a pass with a draft model, where it also replaces the callback."""
        decodes = self.decodes(count)
        if self.done < self.new:
            self.progress(self._passed - count, self.new)
            if decodes:
                self.done = self.new
        return decodes

    def draft_pass(self, _count: int) -> bool:
        """Count a pass of the draft model, which prefills the prompt first, without progress; Stop works there too."""
        if not self._passed:
            now = time.monotonic()
            self.started = self.started or now
            self._between(now)
            if self._stop.asked:
                raise PrefillStoppedError
        return False
