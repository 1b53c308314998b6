"""Made-up looks inside: each layer's guesses at one place."""

from __future__ import annotations

import math

from app.engine.types import Candidate, Depth, Guess


def guess(*pairs: tuple[int, str, float]) -> Guess:
    return Guess(tuple(Candidate(each, text, math.log(share), 0.0) for each, text, share in pairs), 1.0, math.log(0.5))


def depth(*firsts: str, said: str = "fox", position: int = 7) -> Depth:
    """Each layer's first guess; the second one is always “cat”."""
    guesses = tuple(guess((hash(first) % 1000, first, 0.6), (1001, "cat", 0.3)) for first in firsts)
    return Depth(position, hash(said) % 1000, said, guesses, guesses[-1])
