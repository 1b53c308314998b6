"""Values that the panel shows in addition to the settings."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Room:
    """How many more tokens fit into the context and into memory; None: not known, or without a limit."""

    context: int | None = None
    memory: int | None = None
    longest: int | None = None
    """The length of the whole context window."""

    def too_small_for(self, limit: int) -> bool:
        """Whether a run could end before it reaches this limit."""
        known = [number for number in (self.context, self.memory) if number is not None]
        return any(limit > number for number in known)
