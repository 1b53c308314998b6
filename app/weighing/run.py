"""A text goes through a model, and through a second one that is held against the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.engine.distributions import Distributions
from app.engine.protocol import ComparingEngine, Emit, StopFlag
from app.engine.types import Difference, Failure, Stopped, TokenPrompt, Weighed
from app.weighing.passage import Passage, Window

Weigh = Callable[[TokenPrompt], Weighed | Failure | Stopped]


@dataclass(slots=True)
class Read:
    """What one model made of the text."""

    nats: list[float] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


def places(parts: Sequence[Window]) -> int:
    """Distributions of a text in these windows: each but the first token of each has one."""
    return sum(part.end - part.start - 1 for part in parts)


def read(weigh: Weigh, text: Passage, parts: Sequence[Window]) -> Read | Failure | Stopped:
    """The text's own tokens, each once, with as much before it as a window has."""
    found = Read()
    wanted = set(text.counted)
    for part in parts:
        weighed = weigh(TokenPrompt(text.ids[part.start : part.end]))
        if not isinstance(weighed, Weighed):
            return weighed
        for place, weight in enumerate(weighed.weights, part.start):
            if weight is not None and place >= part.fresh and place in wanted:
                found.nats.append(-weight.logprob)
    return found


def compare(
    engine: ComparingEngine, kept: Distributions, text: Passage, parts: Sequence[Window], emit: Emit, stop: StopFlag
) -> Read | Failure | Stopped:
    """The model that is open now, against the one whose distributions were kept."""
    all_found: list[Difference] = []

    def weigh(ids: TokenPrompt) -> Weighed | Failure | Stopped:
        return engine.weigh_against(ids, kept, all_found, emit, stop)

    found = read(weigh, text, parts)
    if isinstance(found, Read):
        told = iter(all_found)
        wanted = set(text.counted)
        for part in parts:
            for place in range(part.start + 1, part.end):
                difference = next(told)
                if place >= part.fresh and place in wanted:
                    found.differences.append(difference)
    return found
