"""How surprising each token of a prompt is to the model, given all before it."""

from __future__ import annotations

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
class Weighed:
    """A prompt's ids, and the weight of each; the first has nothing before it, hence none."""

    ids: tuple[int, ...]
    weights: tuple[Weight | None, ...]
