"""How likely a candidate was."""

from __future__ import annotations

import math

from app.engine.types import Candidate


def probability(candidate: Candidate) -> float:
    """Between 0 and 1, also for one that a strange file tells of."""
    return math.exp(min(0.0, candidate.logprob))
