"""Chooses the prefill step size so that Stop never waits long for a step."""

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
