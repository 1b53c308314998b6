"""The word diff says all of both texts, and keeps together what both say."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.records import comparison as module
from app.records.comparison import DiffSegment, DiffSide, word_diff

WORDS = st.lists(st.sampled_from(("the", " ", "river", "\n", "is", ".", "wide", "é")), max_size=30).map("".join)


@given(WORDS, WORDS)
def test_word_diff_sides_equal_their_texts(first: str, second: str) -> None:
    stretches = word_diff(first, second)
    assert "".join(stretch.text for stretch in stretches if stretch.side is not DiffSide.SECOND) == first
    assert "".join(stretch.text for stretch in stretches if stretch.side is not DiffSide.FIRST) == second
    assert all(stretch.text for stretch in stretches)
    assert all(one.side is not other.side for one, other in pairwise(stretches))


def test_word_diff_one_changed_word() -> None:
    assert word_diff("The river is wide.", "The river is deep.") == (
        DiffSegment(DiffSide.BOTH, "The river is "),
        DiffSegment(DiffSide.FIRST, "wide"),
        DiffSegment(DiffSide.SECOND, "deep"),
        DiffSegment(DiffSide.BOTH, "."),
    )


def test_word_diff_equal_texts_are_one_segment() -> None:
    assert word_diff("a b", "a b") == (DiffSegment(DiffSide.BOTH, "a b"),)
    assert word_diff("", "") == ()


def test_word_diff_long_texts_differ_at_both_ends() -> None:
    long = "same " * 50_000
    assert word_diff("a " + long + "b", "a " + long + "c") == (
        DiffSegment(DiffSide.BOTH, "a " + long),
        DiffSegment(DiffSide.FIRST, "b"),
        DiffSegment(DiffSide.SECOND, "c"),
    )
    assert word_diff("x " + long, "y " + long)[-1] == DiffSegment(DiffSide.BOTH, " " + long)


def test_word_diff_beyond_the_limit_counts_as_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 4)
    assert word_diff("a same b c d", "e same f g h") == (
        DiffSegment(DiffSide.FIRST, "a"),
        DiffSegment(DiffSide.SECOND, "e"),
        DiffSegment(DiffSide.BOTH, " same "),
        DiffSegment(DiffSide.FIRST, "b c d"),
        DiffSegment(DiffSide.SECOND, "f g h"),
    )
