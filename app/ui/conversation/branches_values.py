"""A turn of the tree, as it is shown there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One turn. `follows` is the number of the one before it, 0 for a beginning; `shown`: it is in sight now."""

    number: int
    follows: int
    who: str
    words: str
    parted: str = ""
    """Where it took another way than the answer that it was forked from, in words."""
    shown: bool = False


@dataclass(slots=True)
class Node:
    """A row with those that stand below it, one step to the right."""

    row: BranchRow
    below: list[Node]


def arranged(rows: Sequence[BranchRow]) -> list[Node]:
    """The rows as a tree that goes to the right only where the conversation parts."""
    following: dict[int, list[BranchRow]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        following.setdefault(row.follows, []).append(row)
    top: list[Node] = []
    waiting = [(0, top)]
    while waiting:
        number, list_of = waiting.pop()
        here = following.pop(number, [])
        for row in here:
            node = Node(row, [])
            list_of.append(node)
            parts = len(here) > 1 or len(following.get(row.number, ())) > 1
            waiting.append((row.number, node.below if parts else list_of))
    return top
