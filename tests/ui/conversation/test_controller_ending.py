"""The ending of the last run, explained from its tokens: at once, and of a session that is opened again."""

from dataclasses import replace

from PySide6.QtWidgets import QAbstractButton, QLabel

from app.controls import Controls
from app.engine.types import Limits
from app.settings import Settings
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named


def reason(window: MainWindow) -> str:
    return named(window, QLabel, "finish_reason").accessibleName().removeprefix("Finish reason: ")


def test_the_end_is_told_with_its_probability_also_when_the_session_is_opened_again(desk: Desk) -> None:
    window = desk.ready(Settings(controls=Controls(limits=Limits(5))))
    playground = window.playground
    playground.set_controls(replace(playground.state.controls, observe=3))
    desk.send(window, "One")
    told = reason(window)
    assert told == "length, the limit of 5 tokens; EOS probability 0.10 %"
    session = playground.state.session
    act(window, "new_session").trigger()
    assert not named(window, QLabel, "finish_reason").isVisible()
    playground.traces.forget()
    assert playground.open_session(session)
    desk.qtbot.waitUntil(lambda: reason(window) == told)


def test_candidates_are_recorded_from_now_on(desk: Desk) -> None:
    window = desk.ready()
    window.playground.observe(False)
    desk.send(window, "One")
    assert reason(window) == "stop, EOS token <|end|>"
    named(window, QAbstractButton, "more_about_run").click()
    button = named(window, QAbstractButton, "record_from_now")
    assert button.isVisible()
    button.click()
    assert window.playground.state.controls.observe > 0
    desk.send(window, "Two")
    assert "EOS token <|end|>, probability " in reason(window)
    assert not button.isVisible()
