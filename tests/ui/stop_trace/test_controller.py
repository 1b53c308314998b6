"""Stop strings step by step on the echo engine."""

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTableView

from app.controls import Controls
from app.engine.echo.engine import EchoEngine
from app.engine.types import Limits, LoadRequest, Sampling
from app.state import Phase
from app.ui.look.theme import Theme
from app.ui.stop_trace.controller import NO_MODEL, TYPE, StopTraceController
from app.ui.stop_trace.dialog import StopTraceDialog
from tests.ui.alone import Alone
from tests.ui.desk import QUICK, act, named

KNOBS = replace(QUICK, replies=("One 🌊 two three four.",))
OTHER = replace(QUICK, replies=("One two.", "One two.", "Three four."))
LIMITS = Controls(limits=Limits(64, stop_strings=("three f",)))


@pytest.fixture
def engine() -> partial[EchoEngine]:
    return partial(EchoEngine, KNOBS)


@pytest.fixture
def window(alone: Alone, theme: Theme) -> Alone:
    alone.add(StopTraceController(alone.playground, theme, alone))
    return alone


def words(window: Alone) -> str:
    return named(window, QLabel, "steps_words").text()


def cells(window: Alone, column: int) -> list[str]:
    model = named(window, QTableView, "steps_table").model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_run_ended_by_a_stop_string_is_shown(window: Alone) -> None:
    window.playground.set_controls(LIMITS)
    window.send("Go")
    act(window, "stop_steps").trigger()
    assert named(window, StopTraceDialog, "stop_steps").isVisible()
    assert cells(window, 6)[-1] == "■ “three␣f”"
    assert "three" in cells(window, 5)
    window.until(lambda: bool(cells(window, 2)[0]))
    assert "F0" in cells(window, 2)
    assert words(window)
    named(window, QPlainTextEdit, "steps_strings").setPlainText("two")
    assert cells(window, 6)[-1] == "■ “two”"
    assert window.playground.state.controls.limits.stop_strings == ("three f",), "it changes no setting"


def test_run_of_a_reopened_session_is_shown(window: Alone) -> None:
    window.playground.set_controls(LIMITS)
    window.send("Go")
    session = window.playground.state.session
    window.playground.new_session()
    window.playground.traces.forget()
    assert window.playground.open_session(session)
    window.until(lambda: window.playground.state.session == session)
    act(window, "stop_steps").trigger()
    window.until(lambda: len(cells(window, 6)) > 1)
    assert cells(window, 6)[-1] == "■ “three␣f”"


def test_run_is_shown_without_its_eos_token(window: Alone) -> None:
    window.send("Go")
    act(window, "stop_steps").trigger()
    assert "".join(cells(window, 4)) == "One␣🌊␣two␣three␣four."


def test_typed_text_is_split(window: Alone) -> None:
    assert window.playground.unload()
    window.until_phase(Phase.EMPTY)
    act(window, "stop_steps").trigger()
    assert words(window) == NO_MODEL
    window.playground.load(LoadRequest("echo"))
    window.until_phase(Phase.READY)
    assert words(window) == TYPE
    assert not named(window, QAbstractButton, "steps_source_run").isEnabled()
    named(window, QPlainTextEdit, "steps_text").setPlainText("a b")
    window.until(lambda: cells(window, 3) == ["a", "␣b"])
    named(window, QPlainTextEdit, "steps_text").setPlainText("")
    assert words(window) == TYPE


@pytest.mark.parametrize(
    "engine", [partial(EchoEngine, replace(QUICK, replies=("One two.", "One two.", "Three four.")))]
)
def test_shown_run_follows_the_last_run(window: Alone) -> None:
    playground = window.playground
    playground.set_controls(replace(playground.state.controls, sampling=Sampling(temperature=0)))
    window.send("Go")
    act(window, "stop_steps").trigger()
    assert cells(window, 3) == ["One", "␣two", "."]
    window.send("Go on")
    window.send("Go on")
    assert cells(window, 3)[0] == "Three"
