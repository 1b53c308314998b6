"""Log-probabilities of a prompt's tokens, and their difference between two models."""

import math
from dataclasses import dataclass
from typing import NamedTuple


class Weight(NamedTuple):
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
class TokenWeights:
    """Ids of a prompt with their scores; the first token has none."""

    ids: tuple[int, ...]
    weights: tuple[Weight | None, ...]


class TokenDifference(NamedTuple):
    """Difference between models A and B at one token, with the same tokens before it, in nats."""

    lowest: float
    highest: float
    """KL(A‖B) = Σ p_A ln(p_A / p_B) lies between these bounds; they are equal if the whole distribution was kept."""
    back: float | None
    """KL(B‖A); None if only a part of A's distribution was kept, like the next one."""
    between: float | None
    """Jensen–Shannon divergence."""
    same_first: bool
    """Whether both have the same most likely token; ties count as equal."""
    same_ten: float
    """Share of A's ten most likely tokens among B's ten."""
