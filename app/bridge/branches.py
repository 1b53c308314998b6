"""The tree of a conversation as pure functions: the turns in sight are one way through it, the others are branches."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from app.records.types import BEGINNING, TurnId
from app.state import ConversationSnapshot, Turn

Turns = tuple[Turn, ...]
NUMBER = attrgetter("id")


def linked(turns: Turns, others: Turns) -> Turns:
    """The turns in sight, each with the one before it and with what else was said in its place. They have numbers."""
    parents = (BEGINNING, *(turn.id for turn in turns))
    known: dict[tuple[TurnId, str], list[TurnId]] = {}
    for turn in others:
        known.setdefault((turn.parent, turn.role), []).append(turn.id)
    return tuple(
        _placed(turn, parent, known.get((parent, turn.role), ())) for turn, parent in zip(turns, parents, strict=False)
    )


def put_aside(old: Turns, new: Turns, others: Turns) -> Turns:
    """The branches when other turns are in sight: what was in sight joins them, and remembers what followed it."""
    seen = {turn.id for turn in new}
    following = (*(turn.id for turn in old[1:]), BEGINNING)
    left = tuple(
        replace(turn, next=after, siblings=())
        for turn, after in zip(old, following, strict=False)
        if turn.id not in seen
    )
    return tuple(sorted((*_without(others, seen), *left), key=NUMBER))


def without(turns: Turns, others: Turns, gone: Sequence[Turn]) -> Turns:
    """The branches when neighbours of `turns` are deleted: what followed them follows what stood before them."""
    last, before = gone[-1].id, gone[0].parent
    moved = tuple(replace(turn, parent=before) if turn.parent == last else turn for turn in others)
    return reachable(_without(turns, {turn.id for turn in gone}), moved)


def reachable(turns: Turns, others: Turns) -> Turns:
    """Those of the branches that a way leads to."""
    children: dict[TurnId, list[Turn]] = {}
    for turn in others:
        children.setdefault(turn.parent, []).append(turn)
    waiting, found = [BEGINNING, *(turn.id for turn in turns)], list[Turn]()
    while waiting:
        here = children.pop(waiting.pop(), [])
        found += here
        waiting += [turn.id for turn in here]
    return tuple(sorted(found, key=NUMBER))


def way_through(turns: Turns, others: Turns, to: TurnId) -> Turns | None:
    """The conversation that has this turn in it, and after it what followed it last; None: there is no such turn."""
    known = {turn.id: turn for turn in others}
    places = {turn.id: place for place, turn in enumerate(turns)}
    if to not in known:
        return turns if to in places else None
    up = [known[to]]
    while (parent := up[-1].parent) in known:
        up.append(known[parent])
    start = turns[: places[parent] + 1] if parent in places else ()
    return (*start, *reversed(up), *_followers(known[to], known))


def gone_back(past: ConversationSnapshot, turns: Turns, others: Turns) -> Turns:
    """The branches when `past` is in sight again: all that there were then, and what has been made since."""
    since = {turn.id: turn for turn in put_aside(turns, (), others)}
    then = since | {turn.id: turn for turn in past.others}
    return tuple(sorted(_without(tuple(then.values()), {turn.id for turn in past.turns}), key=NUMBER))


def _followers(turn: Turn, known: dict[TurnId, Turn]) -> list[Turn]:
    """What followed a branch's turn when it was last in sight, as far as it still does."""
    found: list[Turn] = []
    while (after := known.pop(turn.next, None)) is not None and after.parent == turn.id:
        found.append(after)
        turn = after
    return found


def _placed(turn: Turn, parent: TurnId, others: Sequence[TurnId]) -> Turn:
    """Left alone where nothing is new, so that what shows it can tell."""
    siblings = tuple(sorted((turn.id, *others)))
    if (turn.parent, turn.siblings, turn.next) == (parent, siblings, BEGINNING):
        return turn
    return replace(turn, parent=parent, siblings=siblings, next=BEGINNING)


def _without(turns: Turns, numbers: set[TurnId]) -> Turns:
    return tuple(turn for turn in turns if turn.id not in numbers)
