from hypothesis import given
from hypothesis import strategies as st

from app.engine.lookup import NO_PROPOSAL, Lookup, Proposal


def test_propose_uses_the_longest_match() -> None:
    assert Lookup([1, 2, 3, 7, 9, 3, 8, 1, 2, 3]).propose(2) == ((7, 9), 3)


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 4), st.integers(1, 4))
def test_propose_equals_a_search_of_the_whole_text(ids: list[int], count: int, longest: int) -> None:
    expected = NO_PROPOSAL
    for length in range(min(longest, len(ids) - 1), 0, -1):
        starts = [at for at in range(len(ids) - length) if ids[at : at + length] == ids[-length:]]
        if starts:
            text = list(ids)
            for _ in range(count):
                text.append(text[starts[-1] + length + len(text) - len(ids)])
            expected = Proposal(tuple(text[len(ids) :]), length)
            break
    assert Lookup(ids, longest).propose(count) == expected
