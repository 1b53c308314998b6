"""How many prompt tokens to process at a time, so that Stop never waits long for a chunk to end."""

CHUNK_S = 0.125
"""Half of the 250 ms that a stop may take: later chunks attend to more tokens and are slower than the measured ones."""
CHUNK_MIN = 16
CHUNK_MAX = 2_048


class PrefillPace:
    """Learns the speed of prefill from what was measured."""

    def __init__(self) -> None:
        self.tokens_per_s = 0.0
        self._fixed = 0

    def learn(self, tokens: int, seconds: float) -> None:
        """The newest measurement counts: it has this device's present load in it."""
        if tokens >= CHUNK_MIN and seconds > 0:
            self.tokens_per_s = tokens / seconds

    def fix(self, size: int) -> None:
        """Always this size, whatever was measured; 0: what was measured decides."""
        self._fixed = size

    def chunk(self) -> int:
        """The size of a prefill step; a power of two, since devices like those."""
        if self._fixed:
            return self._fixed
        wanted = int(self.tokens_per_s * CHUNK_S)
        size = CHUNK_MIN
        while size * 2 <= min(wanted, CHUNK_MAX):
            size *= 2
        return size
