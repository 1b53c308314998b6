"""Stop strings and characters, gone through from the menu and from a run's ending."""

from dataclasses import replace

from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTableView

from app.controls import Controls
from app.engine.types import Limits, Sampling
from app.settings import Settings
from app.ui.shell.main_window import MainWindow
from app.ui.stop_steps.controller import NO_MODEL, TYPE
from app.ui.stop_steps.dialog import StopStepsDialog
from tests.ui.desk import QUICK, Desk, act, named

KNOBS = replace(QUICK, replies=("One 🌊 two three four.",))
LIMITS = Settings(controls=Controls(limits=Limits(64, stop_strings=("three f",))))


def words(window: MainWindow) -> str:
    return named(window, QLabel, "steps_words").text()


def cells(window: MainWindow, column: int) -> list[str]:
    model = named(window, QTableView, "steps_table").model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_a_run_that_a_stop_string_ended(desk: Desk) -> None:
    window = desk.ready(LIMITS, KNOBS)
    desk.send(window, "Go")
    named(window, QAbstractButton, "step_step_by_step").click()
    assert named(window, StopStepsDialog, "stop_steps").isVisible()
    assert cells(window, 6)[-1] == "■ “three␣f”"
    assert "three" in cells(window, 5)
    desk.qtbot.waitUntil(lambda: bool(cells(window, 2)[0]))
    assert "F0" in cells(window, 2)
    assert words(window)
    named(window, QPlainTextEdit, "steps_strings").setPlainText("two")
    assert cells(window, 6)[-1] == "■ “two”"
    assert window.playground.state.controls.limits.stop_strings == ("three f",), "it changes no setting"


def test_a_run_of_a_session_that_was_opened_again(desk: Desk) -> None:
    window = desk.ready(LIMITS, KNOBS)
    desk.send(window, "Go")
    session = window.playground.state.session
    act(window, "new_session").trigger()
    window.playground.traces.forget()
    assert window.playground.open_session(session)
    desk.qtbot.waitUntil(lambda: window.playground.state.session == session)
    act(window, "stop_steps").trigger()
    desk.qtbot.waitUntil(lambda: len(cells(window, 6)) > 1)
    assert cells(window, 6)[-1] == "■ “three␣f”"


def test_an_answer_with_its_end_token_left_out(desk: Desk) -> None:
    window = desk.ready(Settings(), KNOBS)
    desk.send(window, "Go")
    act(window, "stop_steps").trigger()
    assert "".join(cells(window, 4)) == "One␣🌊␣two␣three␣four."


def test_a_text_that_is_typed(desk: Desk) -> None:
    window = desk.open(Settings(), KNOBS)
    act(window, "stop_steps").trigger()
    assert words(window) == NO_MODEL
    desk.qtbot.waitUntil(lambda: window.playground.state.model is not None)
    assert words(window) == TYPE
    assert not named(window, QAbstractButton, "steps_source_run").isEnabled()
    named(window, QPlainTextEdit, "steps_text").setPlainText("a b")
    desk.qtbot.waitUntil(lambda: cells(window, 3) == ["a", "␣b"])
    named(window, QPlainTextEdit, "steps_text").setPlainText("")
    assert words(window) == TYPE


def test_the_last_run_is_always_the_last(desk: Desk) -> None:
    window = desk.ready(LIMITS, replace(QUICK, replies=("One two.", "One two.", "Three four.")))
    playground = window.playground
    playground.set_controls(replace(playground.state.controls, sampling=Sampling(temperature=0)))
    desk.send(window, "Go")
    act(window, "stop_steps").trigger()
    assert cells(window, 3) == ["One", "␣two", "."]
    desk.send(window, "Go on")
    desk.send(window, "Go on")
    assert cells(window, 3)[0] == "Three"
