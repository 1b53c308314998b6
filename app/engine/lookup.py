"""Prompt lookup: draft tokens from the text itself, the continuation of the longest n-gram that occurred before."""

from collections.abc import Iterable
from typing import NamedTuple

LONGEST = 3
"""Tokens of the longest n-gram."""


class Proposal(NamedTuple):
    ids: tuple[int, ...]
    matched: int
    """The length of the n-gram that was found; 0: none, and nothing is proposed."""


NO_PROPOSAL = Proposal((), 0)


class Lookup:
    """The text of a run, with the last position after each n-gram."""

    def __init__(self, ids: Iterable[int] = (), longest: int = LONGEST) -> None:
        self._ids: list[int] = []
        self._after: list[dict[tuple[int, ...], int]] = [{} for _ in range(longest)]
        self.extend(ids)

    def extend(self, ids: Iterable[int]) -> None:
        for token in ids:
            # The n-grams at the end are added with the token that follows them, so that the end doesn't match itself.
            end = len(self._ids)
            for length, after in enumerate(self._after[:end], 1):
                after[tuple(self._ids[end - length :])] = end
            self._ids.append(token)

    def propose(self, count: int) -> Proposal:
        """Propose `count` tokens; where the match reaches the end of the text, its repetition continues."""
        for length in range(min(len(self._after), len(self._ids)), 0, -1):
            position = self._after[length - 1].get(tuple(self._ids[-length:]))
            if position is not None:
                period = len(self._ids) - position
                return Proposal(tuple(self._ids[position + step % period] for step in range(count)), length)
        return NO_PROPOSAL
