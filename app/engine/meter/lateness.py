"""How long after it came a token may reach the meter: until then nobody knows of a pause."""

from __future__ import annotations

from app.engine.meter.speeds import WINDOW_S

LEAST_S = 0.085
"""Observed tokens come together, and a frame later."""


class Lateness:
    """Learned from each frame: where tokens come in groups, the next may be as late as the first of these was."""

    def __init__(self) -> None:
        self.seconds = LEAST_S
        self._since = 0.0
        self._coming = False

    def learn(self, now: float, first: float | None, last: float) -> None:
        """`first` came of this frame's tokens, None without any, and `last` of all.

        A group may take several frames: its later tokens are less late, and say nothing of the next one. What comes
        no more after twice the time comes in no group.
        """
        if first is not None:
            late = max(LEAST_S, now - first)
            if late > self.seconds or not self._coming or now - self._since > WINDOW_S:
                self.seconds, self._since = late, now
        elif now - last > 2 * self.seconds:
            self.seconds = LEAST_S
        self._coming = first is not None
