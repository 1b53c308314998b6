"""How fast bytes arrive, from the moments at which they were counted."""

from __future__ import annotations

from collections import deque

WINDOW_S = 5.0
STALL_S = 3.0


class Flow:
    """Keeps the counts of the last seconds. What was here before the first count has not arrived now."""

    def __init__(self, done: int, now: float) -> None:
        self._counts: deque[tuple[float, int]] = deque([(now, done)])
        self._grew_at = now

    def count(self, done: int, now: float) -> None:
        """So many bytes are here now."""
        if done > self._counts[-1][1]:
            self._grew_at = now
        self._counts.append((now, done))
        self._forget(now)

    def rate(self, now: float) -> float:
        """Bytes per second over the last seconds; it falls to nothing while nothing arrives."""
        self._forget(now)
        since, before = self._counts[0]
        gained = self._counts[-1][1] - before
        return max(0.0, gained / max(now - since, 1.0))

    def stalled(self, now: float) -> bool:
        """Whether nothing has arrived for some seconds."""
        return now - self._grew_at >= STALL_S

    def _forget(self, now: float) -> None:
        """Let go of what is older than the window, but for the count that it begins with."""
        while len(self._counts) > 1 and self._counts[1][0] <= now - WINDOW_S:
            self._counts.popleft()
        if len(self._counts) == 1:
            self._counts[0] = (max(self._counts[0][0], now - WINDOW_S), self._counts[0][1])
