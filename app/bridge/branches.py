"""Pure functions on the tree of a conversation: the turns on the page are one path, all others are on branches."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from app.records.types import BEGINNING, TurnId
from app.state import ConversationSnapshot, Turn

Turns = tuple[Turn, ...]
NUMBER = attrgetter("id")


def link_turns(turns: Turns, others: Turns) -> Turns:
    """Link each turn of the page to its parent and its siblings. All turns have ids."""
    parents = (BEGINNING, *(turn.id for turn in turns))
    known: dict[tuple[TurnId, str], list[TurnId]] = {}
    for turn in others:
        known.setdefault((turn.parent, turn.role), []).append(turn.id)
    return tuple(
        _with_links(turn, parent, known.get((parent, turn.role), ()))
        for turn, parent in zip(turns, parents, strict=False)
    )


def branches_after(old: Turns, new: Turns, others: Turns) -> Turns:
    """Return the branches with the turns that leave the page. Each keeps the id of the turn that followed it last."""
    seen = {turn.id for turn in new}
    following = (*(turn.id for turn in old[1:]), BEGINNING)
    left = tuple(
        replace(turn, next=after, siblings=())
        for turn, after in zip(old, following, strict=False)
        if turn.id not in seen
    )
    return tuple(sorted((*_without(others, seen), *left), key=NUMBER))


def without_turns(turns: Turns, others: Turns, gone: Sequence[Turn]) -> Turns:
    """Return the branches after adjacent turns on the page are deleted: their children move to the parent."""
    last, before = gone[-1].id, gone[0].parent
    moved = tuple(replace(turn, parent=before) if turn.parent == last else turn for turn in others)
    return reachable(_without(turns, {turn.id for turn in gone}), moved)


def reachable(turns: Turns, others: Turns) -> Turns:
    """Return the branch turns that can be reached."""
    children: dict[TurnId, list[Turn]] = {}
    for turn in others:
        children.setdefault(turn.parent, []).append(turn)
    waiting, found = [BEGINNING, *(turn.id for turn in turns)], list[Turn]()
    while waiting:
        here = children.pop(waiting.pop(), [])
        found += here
        waiting += [turn.id for turn in here]
    return tuple(sorted(found, key=NUMBER))


def path_through(turns: Turns, others: Turns, to: TurnId) -> Turns | None:
    """Return the path to this turn, and the turns that followed it last; None if it doesn't exist."""
    known = {turn.id: turn for turn in others}
    places = {turn.id: place for place, turn in enumerate(turns)}
    if to not in known:
        return turns if to in places else None
    up = [known[to]]
    while (parent := up[-1].parent) in known:
        up.append(known[parent])
    start = turns[: places[parent] + 1] if parent in places else ()
    return (*start, *reversed(up), *_followers(known[to], known))


def branches_restored(past: ConversationSnapshot, turns: Turns, others: Turns) -> Turns:
    """Return the branches after `past` is restored: its own, and those created since."""
    since = {turn.id: turn for turn in branches_after(turns, (), others)}
    then = since | {turn.id: turn for turn in past.others}
    return tuple(sorted(_without(tuple(then.values()), {turn.id for turn in past.turns}), key=NUMBER))


def _followers(turn: Turn, known: dict[TurnId, Turn]) -> list[Turn]:
    """Return the turns that followed a branch turn when it was last on the page, up to the first that is gone."""
    found: list[Turn] = []
    while (after := known.pop(turn.next, None)) is not None and after.parent == turn.id:
        found.append(after)
        turn = after
    return found


def _with_links(turn: Turn, parent: TurnId, others: Sequence[TurnId]) -> Turn:
    """Return a turn with these links; the same object if nothing changes, so that listeners can compare by identity."""
    siblings = tuple(sorted((turn.id, *others)))
    if (turn.parent, turn.siblings, turn.next) == (parent, siblings, BEGINNING):
        return turn
    return replace(turn, parent=parent, siblings=siblings, next=BEGINNING)


def _without(turns: Turns, numbers: set[TurnId]) -> Turns:
    return tuple(turn for turn in turns if turn.id not in numbers)
