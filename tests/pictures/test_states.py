import pytest

from tests.pictures.looks import Look
from tests.pictures.states import STATES, chosen
from tests.pictures.studio import Studio

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp", "demo_model")]


@pytest.mark.parametrize("state", STATES)
def test_picture_of_each_state_has_no_layout_fault(state: str) -> None:
    made = STATES[state]
    with Studio(Look(state), made.knobs, made.model) as studio:
        shown = made.act(studio) or studio.window
        found = []
        for look in chosen(state):
            found += [f"{look}: {each}" for each in studio.faults(look, shown)]
        assert "\n".join(found) == ""
