"""Progress of the prefill: reports it, raises on Stop, and takes the times."""

import time
from collections.abc import Callable

from app.engine.protocol import Emit, StopFlag
from app.engine.types import Prefill


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
        """Report that `done` tokens are cached. The last call comes with the first token, which is emitted first."""
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
