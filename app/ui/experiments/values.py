"""What the window of experiments is given, and what it hands out."""

from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Offer:
    """One experiment that can be chosen, and what can be set for it."""

    name: str
    title: str
    question: str
    axes: int = 0
    """How many settings may be varied."""
    settings: tuple[Pair, ...] = ()
    """Which: the name of each, and what people call it."""
    stops: bool = False
    drafts: bool = False
    others: bool = False


@dataclass(frozen=True, slots=True)
class Setup:
    """The form as it stands. `axes` are the names of settings and their values as typed."""

    name: str
    prompt: str
    max_tokens: int
    temperature: float
    repeats: int
    stop_strings: tuple[str, ...] = ()
    axes: tuple[Pair, ...] = ()
    draft: str = ""
    other: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A model that can be chosen beside the one that is open; `why_not` says why it can't."""

    name: str
    folder: str
    why_not: str = ""
