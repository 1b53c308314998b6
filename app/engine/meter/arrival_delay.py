"""How long after it came a token may reach the meter: until then nobody knows of a pause."""

LEAST_S = 0.085
"""Observed tokens come together, and a frame later."""


class Lateness:
    """Learned from each frame: where tokens come in groups, the next may be as late as the first of these was."""

    def __init__(self) -> None:
        self.seconds = LEAST_S
        self._before = 0.0
        self._coming = False

    def learn(self, now: float, first: float | None) -> None:
        """`first` came of this frame's tokens; None without any.

        What came since the frame before was held back by nobody, however long ago that was. A group may take several
        frames: its later tokens are less late, and say nothing of the next group.
        """
        if first is not None:
            late = LEAST_S + max(0.0, self._before - first)
            self.seconds = max(late, self.seconds) if self._coming else late
        self._before, self._coming = now, first is not None
