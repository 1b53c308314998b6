"""Scoring of a text window by window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.engine.types import Failure, Stopped, TokenDifference, TokenPrompt, TokenWeights, Weight
from app.perplexity.passage import ScoredPassage, Window


@dataclass(slots=True)
class Read:
    """Scores of one model so far, with those of an incomplete window, which is continued."""

    weights: list[Weight] = field(default_factory=list)
    """Scores of the counted tokens."""
    before: list[int] = field(default_factory=list)
    """Number of context tokens of each, in its window."""
    differences: list[TokenDifference] = field(default_factory=list)
    window: int = 0
    begun: list[Weight | None] = field(default_factory=list)
    """Scores of all tokens of the current window; None: not scored yet."""
    told: list[TokenDifference] = field(default_factory=list)

    @property
    def nats(self) -> list[float]:
        return [-weight.logprob for weight in self.weights]

    def take(self, part: Window, wanted: frozenset[int]) -> None:
        """Add the scores of the tokens that no earlier window has scored."""
        for place in range(max(part.start + 1, part.fresh), part.start + len(self.begun)):
            weight = self.begun[place - part.start]
            if place in wanted and weight is not None:
                self.weights.append(weight)
                self.before.append(place - part.start)
                self.differences += self.told[place - part.start - 1 : place - part.start]
        self.begun, self.told = [], []
        self.window += 1

    def so_far(self, text: ScoredPassage, parts: Sequence[Window]) -> Read:
        """Return the scores, including those of an incomplete window."""
        lists = list(self.weights), list(self.before), list(self.differences)
        found = Read(*lists, self.window, list(self.begun), list(self.told))
        if self.begun:
            found.take(parts[self.window], frozenset(text.counted))
        return found


Weigh = Callable[[TokenPrompt, Read], TokenWeights | Failure | Stopped]


def places(parts: Sequence[Window]) -> int:
    """Return the number of distributions: each token of a window but the first has one."""
    return sum(part.end - part.start - 1 for part in parts)


def read(weigh: Weigh, text: ScoredPassage, parts: Sequence[Window], found: Read) -> Failure | Stopped | None:
    """Score each token once. Continue where `found` ends."""
    wanted = frozenset(text.counted)
    for part in parts[found.window :]:
        weighed = weigh(TokenPrompt(text.ids[part.start : part.end]), found)
        if not isinstance(weighed, TokenWeights):
            return weighed
        found.take(part, wanted)
    return None
