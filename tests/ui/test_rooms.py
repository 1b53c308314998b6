from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget

from app.controls import Controls
from app.engine.types import Limits
from app.files.settings import Settings
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from tests.ui.desk import QUICK, Desk, named


@pytest.mark.slow
def test_signals_of_one_feature_reach_another(desk: Desk) -> None:
    limits = Limits(64, stop_strings=("three f",))
    window = desk.ready(Settings(controls=Controls(limits=limits)), replace(QUICK, replies=("One two three four.",)))
    desk.send(window, "Go")
    named(window, QAbstractButton, "step_step_by_step").click()
    assert named(window, QWidget, "stop_steps").isVisible()
    named(window, Transcript, "transcript").wanted.emit(TurnAction.TRY, 1)
    prompt = named(window, QPlainTextEdit, "experiment_prompt")
    assert prompt.isVisible() and prompt.toPlainText() == "Go"
    prompt.window().close()
    named(window, QAbstractButton, "more_about_run").click()
    named(window, QAbstractButton, "try_run_with").click()
    assert prompt.isVisible()
    window._features.experiments.progressed.emit("Run 1 of 2", 1, 2)
    assert named(window, QLabel, "progress_words").text().startswith("Run 1 of 2")
    window._parts.controls.draft_wanted.emit()
    assert named(window, QWidget, "model_picker").isVisible()
    window._features.serving.open_wanted.emit("another")
    desk.qtbot.waitUntil(lambda: window.playground.state.wanted == "another")
