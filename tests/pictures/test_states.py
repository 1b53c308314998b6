"""The window in each of its states, in looks that pair all there is: nothing clips, meets, fades or sticks out."""

from itertools import combinations, product

import pytest

from tests.pictures.looks import Look
from tests.pictures.states import PERCENTS, SCHEMES, SIZES, STATES, chosen, looks
from tests.pictures.studio import Studio

KINDS = (tuple(STATES), SIZES, PERCENTS, SCHEMES)
pytestmark = pytest.mark.usefixtures("qapp", "demo_model")


@pytest.mark.parametrize("state", STATES)
def test_nothing_is_wrong_with_the_picture(state: str) -> None:
    made = STATES[state]
    with Studio(Look(state), made.knobs, made.model) as studio:
        shown = made.act(studio) or studio.window
        found = []
        for look in chosen(state):
            found += [f"{look}: {each}" for each in studio.faults(look, shown)]
        assert "\n".join(found) == ""


def test_each_two_values_are_found_together() -> None:
    rows = [
        (look.scene, (look.width, look.height), look.text_percent, look.appearance)
        for each in STATES
        for look in chosen(each)
    ]
    for one, other in combinations(range(len(KINDS)), 2):
        assert {(row[one], row[other]) for row in rows} == set(product(KINDS[one], KINDS[other]))
    assert len(rows) == 3 * len(STATES)
    assert all(set(chosen(each)) < set(looks(each)) for each in STATES)
