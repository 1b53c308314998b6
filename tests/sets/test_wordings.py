"""The same prompt in other words, or that there are none."""

import pytest

from app.sets.types import Wording
from app.sets.wordings import reworded

ASKED = "Which one? A) red B) light red"


@pytest.mark.parametrize(
    ("wording", "text", "other"),
    [
        (Wording.AS_WRITTEN, "Hi", "Hi"),
        (Wording.TRAILING_SPACE, "Hi", "Hi "),
        (Wording.LOWER_CASE, "Hi", "hi"),
        (Wording.UPPER_CASE, "Hi", "HI"),
        (Wording.LOWER_CASE, "3 + 4", None),
        (Wording.OTHER_ORDER, "Hi", None),
    ],
)
def test_a_prompt_is_reworded(wording: Wording, text: str, other: str | None) -> None:
    assert reworded(wording, text) == other


@pytest.mark.parametrize(
    ("expected", "choices", "other"),
    [("Mira", (), None), ("mira", (), "SAY MIRA"), ("Mira", ("Mira", "Bo"), "SAY MIRA")],
)
def test_what_is_to_be_repeated_keeps_its_case(expected: str, choices: tuple[str, ...], other: str | None) -> None:
    assert reworded(Wording.UPPER_CASE, "Say Mira", choices, expected) == other


def test_choices_change_places_and_their_letters_stay() -> None:
    choices = ("red", "light red")
    assert reworded(Wording.OTHER_ORDER, ASKED, choices, "red") == "Which one? A) light red B) red"


@pytest.mark.parametrize(
    ("text", "choices", "expected"),
    [
        (ASKED, ("red", "light red"), "A"),  # the letter would name another one
        (ASKED, ("A", "B"), "A"),
        ("Is red or blue better than red?", ("red", "blue"), "red"),
        ("red?", ("red", "blue"), "red"),
        ("red", ("red",), "red"),
    ],
)
def test_an_order_that_would_change_the_meaning_is_left(text: str, choices: tuple[str, ...], expected: str) -> None:
    assert reworded(Wording.OTHER_ORDER, text, choices, expected) is None
