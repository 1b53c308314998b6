"""The definition of a displayed number."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """The name of a number and its definition, in full sentences."""

    name: str
    text: str
