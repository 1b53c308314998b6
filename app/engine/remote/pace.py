"""How fast an answer is passed on: a server may send in a second what a window shows in minutes."""

from __future__ import annotations

import time

from app.engine.protocol import StopFlag

CHARACTERS_PER_S, LEAST = 100_000, 20
"""Twenty thousand tokens; a piece counts as so many characters at least, since each is a row in many tables."""
LONGEST_PIECE = 2_048
"""No token is longer, so what is was several."""
POLL_S, GRAIN_S = 0.02, 0.005


class Pace:
    """Waits before what would be too much at once. Times are not touched by it: they were taken when it came."""

    def __init__(self, stop: StopFlag) -> None:
        self._stop = stop
        self._due = 0.0

    def allows(self, characters: int) -> bool:
        """Now, or in a moment; not when the answer was stopped meanwhile."""
        now = time.monotonic()
        while self._due - now > GRAIN_S and not self._stop.asked:
            time.sleep(min(self._due - now, POLL_S))
            now = time.monotonic()
        self._due = max(self._due, now) + max(characters, LEAST) / CHARACTERS_PER_S
        return not self._stop.asked
