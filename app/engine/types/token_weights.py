"""How surprising each token of a prompt is to the model, given all before it, and how far two models are apart."""

import math
from dataclasses import dataclass
from typing import NamedTuple


class Weight(NamedTuple):
    """One token's: `likeliest` is what the model would rather have read there, or that token itself.

    A tuple, since there is one for each token of a prompt.
    """

    logprob: float
    """As the model gives it: no penalty, no temperature."""
    rank: int
    """1 is the likeliest."""
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
        """In bits: 0 was certain, 1 is a coin's toss."""
        return max(0.0, -self.logprob / math.log(2))


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """A prompt's ids, and the weight of each; the first has nothing before it, hence none."""

    ids: tuple[int, ...]
    weights: tuple[Weight | None, ...]


class Difference(NamedTuple):
    """At one token: the first model A and the second one B, both given all before it; in nats."""

    lowest: float
    highest: float
    """The divergence of A from B, Σ p_A ln(p_A ÷ p_B), lies between these; they are the same where all was kept."""
    back: float | None
    """That of B from A; None where only a part of A's distribution was kept, as the next."""
    between: float | None
    """Jensen–Shannon: of both from their mean."""
    same_first: bool
    """Both have the same favourite; a tie counts as the same."""
    same_ten: float
    """The share of A's first ten that is among B's."""
