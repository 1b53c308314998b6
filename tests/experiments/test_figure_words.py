"""Figures as people read them: whole where they count, one unit for a median and its range."""

import pytest

from app import words
from app.engine.types import Reason
from app.experiments.figure_words import cell, endings, heading
from app.experiments.figures import Row, Spread, usual
from app.figures import DASH


@pytest.mark.parametrize(
    ("key", "spread", "words"),
    [
        ("tokens", Spread(50, 50.0, 50), "50"),
        ("tokens", Spread(40, 45.0, 50), "45 (40–50)"),
        ("tokens", Spread(40, 45.5, 51), "45.5 (40–51)"),
        ("speed_mean", Spread(40.0, 45.0, 50.0), "45.0 (40.0–50.0)"),
        ("first_token", Spread(0.02, 0.025, 0.03), "25.0 (20.0–30.0) ms"),
        ("first_token", Spread(0.9, 1.2, 1.5), "1.20 s (900 ms–1.50 s)"),
        ("memory_peak", Spread(2e6, 2e6, 2e6), "2.00 MB"),
        ("acceptance", None, DASH),
    ],
)
def test_a_cell(key: str, spread: Spread | None, words: str) -> None:
    assert cell(usual(key), spread) == words


def test_a_heading_has_its_unit_unless_the_numbers_bring_it() -> None:
    assert heading(usual("speed_mean")) == "Mean speed (tok/s)"
    assert heading(usual("first_token")) == "First token"


@pytest.mark.parametrize(
    ("ended", "shown", "kept"),
    [
        (((Reason.STOP, 3),), "<complete (<stop>)>", "stop"),
        (
            ((Reason.STOP, 2), (Reason.LENGTH, 1)),
            "2 × <complete (<stop>)>, 1 × <max tokens (<length>)>",
            "2 × stop, 1 × length",
        ),
    ],
)
def test_endings_are_shown_in_the_users_language_and_written_by_their_names(
    ended: tuple[tuple[Reason, int], ...], shown: str, kept: str
) -> None:
    row = Row("off", 3, (), ended)
    words.speak(lambda text, comment, n: f"<{text}>")
    try:
        assert endings(row) == shown
    finally:
        words.speak(None)
    assert endings(row, str) == kept
