from dataclasses import replace
from pathlib import Path

from app.engine.types import Model, Role
from app.state import NOWHERE, DisplayedRun, PlaybackSpeed, Replay, SelectedRun, State, Turn, shown_of, slowness
from tests.ui.conversation.runs import run

MODEL = Model("other", Path("other"), "llama", 0, 0, 512, 0, ())
FIRST, SECOND, THIRD = (replace(run(), id=number) for number in (1, 2, 3))
ASKED = Turn(Role.USER, "Hello", id=1)
ANSWERED = Turn(Role.ASSISTANT, "An answer.", runs=(FIRST, SECOND), id=2)
AGAIN = Turn(Role.USER, "And?", id=3)
LAST = Turn(Role.ASSISTANT, "Another.", runs=(THIRD,), id=4)
PAGE = State(model=MODEL, turns=(ASKED, ANSWERED, AGAIN, LAST))


def test_shown_of_page_is_its_last_run() -> None:
    assert shown_of(PAGE) == DisplayedRun(THIRD, "demo", 4, 3, 0)
    assert shown_of(replace(PAGE, turns=(ASKED, ANSWERED))) == DisplayedRun(SECOND, "demo", 2, 1, 1)
    assert shown_of(replace(PAGE, model=None)) == DisplayedRun(THIRD, "demo", 4, 3, 0)


def test_shown_of_no_run_has_the_models_context() -> None:
    nothing = DisplayedRun(length=512)
    assert shown_of(replace(PAGE, turns=())) == nothing
    assert shown_of(replace(PAGE, turns=(ASKED,))) == nothing
    assert shown_of(replace(PAGE, turns=(ASKED, replace(ANSWERED, runs=())))) == nothing, "edited by hand"
    assert shown_of(State()) == DisplayedRun()


def test_shown_of_active_run_is_live() -> None:
    page = replace(PAGE, turns=(ASKED, replace(ANSWERED, open=True)))
    live = DisplayedRun(None, "other", 2, 1, 2, live=True, length=512)
    assert shown_of(page) == live
    assert shown_of(page, Replay("demo"), SelectedRun(1, 0, FIRST)) == live


def test_shown_of_replay_comes_before_the_page() -> None:
    assert shown_of(PAGE, Replay("other")) == DisplayedRun(None, "other", live=True, replay=True, length=512)
    over = shown_of(PAGE, Replay("demo", SECOND), SelectedRun(1, 0, FIRST))
    assert over == DisplayedRun(SECOND, "demo", replay=True)
    assert over.index == NOWHERE


def test_shown_of_picked_run_has_its_number() -> None:
    assert shown_of(PAGE, picked=SelectedRun(1, 0, FIRST)) == DisplayedRun(FIRST, "demo", 2, 1, 0, earlier=True)
    assert shown_of(PAGE, picked=SelectedRun(1, 1, replace(SECOND, id=9))) == DisplayedRun(
        SECOND, "demo", 2, 1, 1, earlier=True
    )
    assert shown_of(PAGE, picked=SelectedRun(3, 0, THIRD)) == shown_of(PAGE)


def test_shown_of_slowed_needs_a_finished_answer() -> None:
    assert shown_of(PAGE, slowed=5).slowed == 5
    assert shown_of(PAGE, picked=SelectedRun(1, 0, FIRST), slowed=5).slowed == 5
    assert shown_of(replace(PAGE, turns=(ASKED, replace(ANSWERED, open=True))), slowed=5).slowed == 0
    assert shown_of(PAGE, Replay("demo", FIRST), slowed=5).slowed == 0, "a replay is no answer"
    assert shown_of(State(), slowed=5).slowed == 0


def test_slowness_is_at_least_one() -> None:
    assert [slowness(PlaybackSpeed.READING, mean) for mean in (None, 3.0, 25.0, 60.0, 130.0, 650.0, 2_400.0)] == [
        1,
        1,
        1,
        2,
        5,
        20,
        100,
    ]
    assert [slowness(pace, 650.0) for pace in (PlaybackSpeed.OWN, PlaybackSpeed.SLOWED, PlaybackSpeed.VERY_SLOW)] == [
        1,
        10,
        100,
    ]
