"""Probabilities of tokens: alternatives, in a compact column format, and the scores of a prompt's tokens."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from struct import Struct
from typing import NamedTuple, overload

from app.engine.types.request import LATER

NO_ID = -1
"""Id of a token or an alternative that a server gives only as text. Further ones count down, to be distinct."""


class Alternative(NamedTuple):
    """One token that could have been generated. `raw_logit` is before penalties, `logprob` after them."""

    id: int
    text: str
    logprob: float
    raw_logit: float

    @property
    def probability(self) -> float:
        """Probability, clamped to 0–1, since values from files and servers may be invalid."""
        return math.exp(min(0.0, self.logprob))


@dataclass(frozen=True, slots=True)
class SamplingStats:
    """Statistics of sampling at one token, computed over the whole vocabulary."""

    own: float
    """Probability with which the generated token was sampled."""
    kept: int
    """Number of tokens left by top-nσ, top-p and min-p. With top-k it can be a lower bound, of 64 or more: counting all
    of a flat distribution would sort the vocabulary at each token, for milliseconds.
    """
    plain: float
    """A token's probability after all filters is exp(logprob / temperature - `plain`) if XTC does not act."""
    struck: float
    """A token's probability is exp(logprob / temperature - `struck`) if XTC acts."""
    passed_over: tuple[int, ...] = ()
    """Ids of the recorded alternatives that XTC removes if it acts."""


@dataclass(frozen=True, slots=True)
class ConstraintStats:
    """Effect of constrained decoding at one token, after penalties and bias, before temperature."""

    removed: float
    """Total probability of banned tokens."""
    forced: bool
    """Whether only one token was allowed."""
    forbidden: Sequence[Alternative] = ()
    """The likeliest banned tokens, with their probabilities before the constraint."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TopTokens(Sequence[Alternative]):
    """The likeliest alternatives, best first, stored as columns; each object is created on access.

    Ten of them as objects would take 1.6 kB, and creating them would take as long as all their arithmetic.
    """

    texts: tuple[str, ...]
    numbers: bytes
    """All ids, then all logprobs, then all raw logits, eight bytes each, in native byte order."""

    @classmethod
    def of(cls, candidates: Iterable[Alternative]) -> TopTokens:
        """Create from alternatives; equal texts share memory."""
        ids, texts, logprobs, raw_logits = tuple(zip(*candidates, strict=True)) or ((), (), (), ())
        return cls(tuple(map(sys.intern, texts)), _layout(len(texts)).pack(*ids, *logprobs, *raw_logits))

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[Alternative]:
        count = len(self.texts)
        numbers = _layout(count).unpack(self.numbers)
        return map(Alternative, numbers[:count], self.texts, numbers[count : 2 * count], numbers[2 * count :])

    @overload
    def __getitem__(self, position: int) -> Alternative: ...

    @overload
    def __getitem__(self, position: slice) -> tuple[Alternative, ...]: ...

    def __getitem__(self, position: int | slice) -> Alternative | tuple[Alternative, ...]:
        return tuple(self)[position]

    def __eq__(self, other: object) -> bool:
        """Return whether it equals a tuple of the same alternatives."""
        return tuple(self) == tuple(other) if isinstance(other, TopTokens | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Top{tuple(self)}"


@lru_cache(maxsize=32)
def _layout(count: int) -> Struct:
    return Struct(f"={count}q{2 * count}d")


class TokenScore(NamedTuple):
    """Score of one token. `likeliest` is the model's first choice at that position.

    A tuple, since there is one for each token of a prompt.
    """

    logprob: float
    """Log-probability without penalties and temperature."""
    rank: int
    """Rank among all tokens; 1 is the likeliest."""
    likeliest: int
    likeliest_text: str
    likeliest_logprob: float

    @property
    def probability(self) -> float:
        return math.exp(min(0.0, self.logprob))

    @property
    def likeliest_probability(self) -> float:
        return math.exp(min(0.0, self.likeliest_logprob))

    @property
    def surprise(self) -> float:
        """Surprisal in bits."""
        return max(0.0, -self.logprob / math.log(2))


@dataclass(frozen=True, slots=True)
class TokenScores:
    """Ids of a prompt with their scores; the first token has none."""

    ids: tuple[int, ...]
    weights: tuple[TokenScore | None, ...]


@dataclass(slots=True)
class CacheScores:
    """The tokens of a text so far, scored through one KV cache, and their differences from the full cache."""

    weights: list[TokenScore] = field(default_factory=list)
    differences: list[TokenDifference] = field(default_factory=list)
    bytes: int = 0
    """Size of the keys and values after the last scored token."""


@dataclass(frozen=True, slots=True)
class ChoiceScore:
    """Log-likelihood of one choice after its prompt, in nats: the sum over its tokens."""

    text: str
    logprob: float
    tokens: int
    unconditional: float | None = field(default=None, metadata=LATER)
    """The log-likelihood without the prompt, after the BOS token alone, or EOS; None: not computed."""


class TokenDifference(NamedTuple):
    """Difference between models A and B at one token, with the same tokens before it, in nats."""

    lowest: float
    highest: float
    """KL(A‖B) = Σ p_A ln(p_A / p_B) lies between these bounds; they are equal if the whole distribution was kept."""
    back: float | None
    """KL(B‖A); None if only a part of A's distribution was kept."""
    between: float | None
    """Jensen–Shannon divergence; None if only a part of A's distribution was kept."""
    same_first: bool
    """Whether both have the same most likely token; ties count as equal."""
    same_ten: float
    """Share of A's ten most likely tokens among B's ten."""
