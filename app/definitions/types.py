"""What one number is called, and what it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """`text` in whole sentences."""

    name: str
    text: str
