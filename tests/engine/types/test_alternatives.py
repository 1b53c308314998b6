"""Candidates kept as columns are the alternatives they were made of."""

import json
import math
import pickle

from hypothesis import given
from hypothesis import strategies as st

from app.engine.types import Alternative, TopTokens

CANDIDATES = st.lists(
    st.builds(
        Alternative,
        st.integers(-(2**63), 2**63 - 1),
        st.text(max_size=4),
        st.floats(allow_nan=False),
        st.floats(allow_nan=False),
    ),
    max_size=20,
)
THREE = (Alternative(7, " a", -0.1, 3.0), Alternative(2, "\n", -2.5, -math.inf), Alternative(2**40, "é", -9.0, 1e300))


@given(CANDIDATES)
def test_nothing_is_lost(candidates: list[Alternative]) -> None:
    top = TopTokens.of(candidates)
    assert list(top) == candidates
    assert len(top) == len(candidates)
    assert pickle.loads(pickle.dumps(top)) == top


def test_it_reads_like_a_tuple() -> None:
    top = TopTokens.of(THREE)
    assert top[0] == THREE[0]
    assert top[-1].text == "é"
    assert top[:2] == THREE[:2]
    assert THREE[1] in top
    assert all(isinstance(candidate, Alternative) for candidate in top)
    assert repr(top) == f"Top{THREE!r}"
    assert not TopTokens.of(())


def test_equal_to_the_same_candidates_however_they_are_kept() -> None:
    top, plain = TopTokens.of(THREE), tuple(THREE)
    assert top == plain
    assert plain == top
    assert {top, THREE, TopTokens.of(iter(THREE))} == {THREE}
    assert top != TopTokens.of(THREE[:2])
    assert top != list(THREE)


def test_texts_that_are_alike_are_one_in_memory() -> None:
    one, other = (
        TopTokens.of(Alternative(*each) for each in json.loads('[[1, "tok en", -1.0, 2.0]]')) for _ in range(2)
    )
    assert one.texts[0] is other.texts[0]
