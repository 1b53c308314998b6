"""Notices that something takes longer than it should, while it does: a disk that hangs comes back to nobody."""

import threading
from collections.abc import Callable

LATE_S = 0.8
"""A write that takes so long leaves what came meanwhile a second behind."""


class Lateness:
    """Entered by the thread that is watched, as often as it begins. `tell` hears of each change, on another thread."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self.late = False
        self._tell = tell
        self._changed = threading.Condition()
        self._begun = 0
        self._ended = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="journal watch", daemon=True)
        self._thread.start()

    def __enter__(self) -> None:
        with self._changed:
            self._begun += 1
            self._changed.notify_all()

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._ended = self._begun
            self._changed.notify_all()

    def close(self) -> None:
        """Nothing begins any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while (number := self._next()) is not None:
            if not self._wait_for_end(number, LATE_S):
                self._say(True)
                self._wait_for_end(number)
                self._say(False)

    def _next(self) -> int | None:
        """What has begun, as soon as something has; None: it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._begun > self._ended)
            return None if self._closed else self._begun

    def _wait_for_end(self, number: int, seconds: float | None = None) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or self._ended >= number, seconds)

    def _say(self, late: bool) -> None:
        self.late = late
        self._tell()
