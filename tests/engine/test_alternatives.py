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
def test_top_tokens_keep_every_value(candidates: list[Alternative]) -> None:
    top = TopTokens.of(candidates)
    assert list(top) == candidates and len(top) == len(candidates)
    assert pickle.loads(pickle.dumps(top)) == top


def test_top_tokens_behave_like_a_tuple() -> None:
    top = TopTokens.of(THREE)
    assert (top[0], top[-1], top[:2], THREE[1] in top) == (THREE[0], THREE[2], THREE[:2], True)
    assert repr(top) == f"Top{THREE!r}" and not TopTokens.of(())
    assert top == THREE and top == THREE and {top, THREE, TopTokens.of(iter(THREE))} == {THREE}
    assert top != TopTokens.of(THREE[:2]) and top != list(THREE)


def test_top_tokens_share_equal_texts() -> None:
    first, other = (
        TopTokens.of(Alternative(*each) for each in json.loads('[[1, "tok en", -1.0, 2.0]]')) for _ in range(2)
    )
    assert first.texts[0] is other.texts[0]
