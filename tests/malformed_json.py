"""Malformed JSON: valid documents with values of other types in some places."""

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from tests.faults.mutations.mutation import HOSTILE, places, put

ANYTHING: st.SearchStrategy[Any] = st.sampled_from(HOSTILE) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=6,
)
DEEP = (100, 1_000)
"""Nesting deeper than in any file, and deeper than Python's recursion limit."""


@st.composite
def spoiled(draw: st.DrawFn, content: Any) -> Any:
    """Change one to three values at any depth."""
    said = deepcopy(content)
    for _ in range(draw(st.integers(1, 3))):
        said = put(said, draw(st.sampled_from(places(said))), deepcopy(draw(ANYTHING)))
    return said
