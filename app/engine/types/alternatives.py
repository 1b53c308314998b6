"""The tokens a model might have chosen: one by one, and many of them in little room."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from struct import Struct
from typing import NamedTuple, overload

NO_ID = -1
"""Of a token or a candidate whose id nobody tells: a server gives text. Further candidates of one place go on
downwards, to be told apart."""


class Alternative(NamedTuple):
    """One token the model might have chosen. `raw_logit` is before penalties, `logprob` after them."""

    id: int
    text: str
    logprob: float
    raw_logit: float

    @property
    def probability(self) -> float:
        """Between 0 and 1, also for one that a strange file or server tells of."""
        return math.exp(min(0.0, self.logprob))


@dataclass(frozen=True, slots=True)
class SamplingStats:
    """What the settings of its run made of a choice, reckoned over the whole vocabulary."""

    own: float
    """With which probability the chosen one was drawn."""
    kept: int
    """How many top-nσ, top-p and min-p left, the likeliest ones."""
    plain: float
    """A probability after all of it is exp(logprob / temperature - this), where XTC does not strike,"""
    struck: float
    """and this, where it does."""
    passed_over: tuple[int, ...] = ()
    """Which of those that are recorded XTC takes out when it strikes."""


@dataclass(frozen=True, slots=True)
class ConstraintStats:
    """What the form of the answer did to a choice, after penalties and bias, before temperature."""

    removed: float
    """The probability of all that it forbade: mass removed."""
    forced: bool
    """It left one token only."""
    forbidden: Sequence[Alternative] = ()
    """The likeliest of what it forbade, as they were before it."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TopTokens(Sequence[Alternative]):
    """The likeliest candidates, best first, as columns: each is made when it is asked for.

    As objects ten of them would take 1.6 kB and as long to make as all of their arithmetic.
    """

    texts: tuple[str, ...]
    numbers: bytes
    """All ids, then all log-probabilities, then all raw logits, eight bytes each, as the machine keeps them."""

    @classmethod
    def of(cls, candidates: Iterable[Alternative]) -> TopTokens:
        """Texts that are alike are one in memory, as they are where the engine made them."""
        ids, texts, logprobs, raw_logits = tuple(zip(*candidates, strict=True)) or ((), (), (), ())
        return cls(tuple(map(sys.intern, texts)), _layout(len(texts)).pack(*ids, *logprobs, *raw_logits))

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Alternative]:
        count = len(self.texts)
        numbers = _layout(count).unpack(self.numbers)
        return map(Alternative, numbers[:count], self.texts, numbers[count : 2 * count], numbers[2 * count :])

    @overload
    def __getitem__(self, place: int) -> Alternative: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Alternative, ...]: ...

    def __getitem__(self, place: int | slice) -> Alternative | tuple[Alternative, ...]:
        return tuple(self)[place]

    def __eq__(self, other: object) -> bool:
        """Candidates in a plain tuple are the same candidates."""
        return tuple(self) == tuple(other) if isinstance(other, TopTokens | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Top{tuple(self)}"


@lru_cache(maxsize=32)
def _layout(count: int) -> Struct:
    return Struct(f"={count}q{2 * count}d")
