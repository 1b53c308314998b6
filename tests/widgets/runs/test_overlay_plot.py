"""The letters at the ends of curves stand beside each other."""

from __future__ import annotations

from app.widgets.runs.overlay_plot import apart


def test_letters_that_would_cover_each_other_are_moved_up() -> None:
    ends = [(100.0, 11.0), None, (99.0, 10.0), (10.0, 10.5), (100.0, 30.0)]
    assert apart(ends, 5.0, 2.0, 50.0) == [(100.0, 12.0), None, (99.0, 10.0), (10.0, 10.5), (100.0, 30.0)]


def test_a_letter_that_was_moved_moves_the_next() -> None:
    assert apart([(1.0, 1.0), (1.0, 1.0), (1.0, 1.5)], 1.0, 2.0, 50.0) == [(1.0, 1.0), (1.0, 3.0), (1.0, 5.0)]


def test_none_leaves_the_plot() -> None:
    assert apart([(1.0, 8.0), (1.0, 9.0), (1.0, 9.5)], 1.0, 2.0, 10.0) == [(1.0, 6.0), (1.0, 8.0), (1.0, 10.0)]
