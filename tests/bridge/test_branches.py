"""The tree of a conversation: the page, the branches and the paths through them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from app.bridge.conversation import (
    Turns,
    branches_after,
    branches_restored,
    link_turns,
    path_through,
    reachable,
    without_turns,
)
from app.engine.types import Role
from app.state import ConversationSnapshot, Turn


def turn(number: int, parent: int = 0, after: int = 0) -> Turn:
    role = Role.USER if number < 10 else Role.ASSISTANT
    return Turn(role, f"turn {number}", id=number, parent=parent, next=after)


def ids(turns: Turns) -> list[int]:
    return [each.id for each in turns]


LINE = link_turns((turn(1), turn(10), turn(2), turn(20)), ())
"""Two pairs of prompt and answer."""


def test_link_turns_without_branches_gives_each_turn_itself_as_sibling() -> None:
    assert [each.parent for each in LINE] == [0, 1, 10, 2]
    assert [each.siblings for each in LINE] == [(1,), (10,), (2,), (20,)]


def test_branches_after_another_answer_keeps_the_old_one_with_its_followers() -> None:
    new = (LINE[0], turn(11))
    others = branches_after(LINE, new, ())
    assert [(each.id, each.parent, each.next) for each in others] == [(2, 10, 20), (10, 1, 2), (20, 2, 0)]
    seen = link_turns(new, others)
    assert seen[0] is LINE[0], "what did not change is the same turn"
    assert seen[1].siblings == (10, 11)
    back = path_through(seen, others, 10)
    assert back is not None and ids(back) == [1, 10, 2, 20]
    assert ids(branches_after(seen, back, others)) == [11]


def test_path_through_a_deep_turn_includes_its_last_followers() -> None:
    others = (turn(2, 10, 20), turn(10, 1, 2), turn(20, 2, 3), turn(3, 20), turn(21, 2))
    seen = link_turns((turn(1), turn(11)), others)
    for to, way in ((20, [1, 10, 2, 20, 3]), (21, [1, 10, 2, 21]), (3, [1, 10, 2, 20, 3]), (1, [1, 11])):
        found = path_through(seen, others, to)
        assert found is not None and ids(found) == way
    assert path_through(seen, others, 99) is None


def test_link_turns_makes_first_turns_siblings() -> None:
    new = (turn(3), turn(12))
    others = branches_after(LINE, new, ())
    assert link_turns(new, others)[0].siblings == (1, 3)
    back = path_through(link_turns(new, others), others, 1)
    assert back is not None and ids(back) == ids(LINE)


def test_without_turns_moves_children_of_a_deleted_pair_to_its_parent() -> None:
    others = (turn(3, 10), turn(11, 1), turn(30, 3), turn(4, 0))
    gone = LINE[:2]
    kept = without_turns(LINE, others, gone)
    assert [(each.id, each.parent) for each in kept] == [(3, 0), (4, 0), (30, 3)], "11 answered what was deleted"
    seen = link_turns(LINE[2:], kept)
    assert seen[0].siblings == (2, 3, 4)
    back = branches_restored(ConversationSnapshot(LINE, others), seen, kept)
    assert [(each.id, each.parent) for each in back] == [(3, 10), (4, 0), (11, 1), (30, 3)]


def test_branches_restored_keep_later_turns() -> None:
    new = link_turns((LINE[0], turn(11)), branches_after(LINE, (LINE[0],), ()))
    others = branches_restored(ConversationSnapshot(LINE, ()), new, branches_after(LINE, new, ()))
    assert ids(others) == [11]
    assert link_turns(LINE, others)[1].siblings == (10, 11)


def test_path_through_a_cycle_ends() -> None:
    assert reachable((turn(1),), (turn(2, 3), turn(3, 2), turn(10, 1))) == (turn(10, 1),)


WAYS = ("send", "regenerate", "switch", "delete", "back")
STEPS = st.lists(st.tuples(st.sampled_from(WAYS), st.integers(0, 30)), max_size=12)


def stepped(
    step: str, number: int, now: ConversationSnapshot, before: ConversationSnapshot, made: int
) -> ConversationSnapshot:
    """Do what the playground does, on ids given out in order."""
    turns, others = now.turns, now.others
    if step == "switch" and others:
        way = path_through(turns, others, others[number % len(others)].id)
        assert way is not None
        return ConversationSnapshot(way, branches_after(turns, way, others))
    if step == "delete" and turns:
        at = number % len(turns) // 2 * 2
        return ConversationSnapshot((*turns[:at], *turns[at + 2 :]), without_turns(turns, others, turns[at : at + 2]))
    if step == "back":
        return ConversationSnapshot(before.turns, branches_restored(before, turns, others))
    new = turns[: number % (len(turns) // 2) * 2 + 1] if step == "regenerate" and turns else turns
    new = new if len(new) % 2 else (*new, Turn(Role.USER, "Q", id=made))
    new = (*new, Turn(Role.ASSISTANT, "A", id=made + 1))
    return ConversationSnapshot(new, branches_after(turns, new, others))


@settings(max_examples=60)
@given(STEPS)
def test_branches_lose_only_deleted_turns(steps: list[tuple[str, int]]) -> None:
    now = before = ConversationSnapshot((), ())
    for made, (step, number) in enumerate(steps, start=1):
        found = stepped(step, number, now, before, 2 * made)
        before, now = now, ConversationSnapshot(link_turns(found.turns, found.others), found.others)
        assert ids(now.others) == ids(reachable(now.turns, now.others))
        there = [*ids(now.turns), *ids(now.others)]
        assert len(there) == len(set(there))
        assert step in ("delete", "back") or {*ids(before.turns), *ids(before.others)} <= set(there)
        assert link_turns(now.turns, now.others) == now.turns
