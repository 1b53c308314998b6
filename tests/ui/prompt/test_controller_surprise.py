"""Surprise, from the button to the colours: asked, stopped, and true only as long as it is."""

from dataclasses import replace

from PySide6.QtWidgets import QAbstractButton, QDoubleSpinBox, QLabel, QPlainTextEdit

from app.engine.types import LoadRequest
from app.state import Phase
from app.ui.prompt.exact_prompt import ExactPromptPane
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, Desk, act, named

SLOW = replace(QUICK, prefill_per_second=100.0)


def typed(desk: Desk, window: MainWindow, text: str) -> QAbstractButton:
    """The button, when the pane shows this text."""
    pane = named(window, ExactPromptPane, "exact_prompt")
    if not pane.isVisible():
        act(window, "toggle_exact_prompt").trigger()
    named(window, QPlainTextEdit, "prompt").setPlainText(text)
    tokens, button = pane.tokens, named(window, QAbstractButton, "exact_prompt_surprise")
    desk.qtbot.waitUntil(lambda: tokens.prompt is not None and text in tokens.prompt.text)
    desk.qtbot.waitUntil(button.isEnabled)
    return button


def summary(window: MainWindow) -> QLabel:
    return named(window, QLabel, "exact_prompt_surprise_summary")


def test_the_prompt_is_coloured_and_what_is_typed_next_is_not(desk: Desk) -> None:
    window = desk.ready()
    button = typed(desk, window, "How surprising is this?")
    button.click()
    desk.qtbot.waitUntil(summary(window).isVisible)
    assert "bits in all" in summary(window).text()
    assert not window.playground.state.turns
    typed(desk, window, "Something else")
    assert not button.isChecked()
    assert "press “Surprise” again" in named(window, QLabel, "exact_prompt_notes").text()


def test_stop_ends_it_and_the_instruments_are_left_alone(desk: Desk) -> None:
    window = desk.ready(knobs=SLOW)
    desk.send(window, "One")
    tokens = named(window, QLabel, "token_count").text()
    button = typed(desk, window, "word " * 400)
    button.click()
    assert window.playground.state.phase is Phase.PREFILLING
    assert not button.isEnabled()
    words = named(window, QLabel, "progress_words")
    desk.qtbot.waitUntil(lambda: words.isVisible() and "Reading the prompt" in words.text())
    assert named(window, QLabel, "token_count").text() == tokens
    named(window, QAbstractButton, "cancel").click()
    desk.until(window, Phase.READY)
    assert not button.isChecked()
    assert not words.isVisible()


def test_another_model_knows_nothing_of_it(desk: Desk) -> None:
    window = desk.ready()
    button = typed(desk, window, "How surprising is this?")
    button.click()
    desk.qtbot.waitUntil(summary(window).isVisible)
    window.playground.load(LoadRequest("other"))
    desk.until(window, Phase.LOADING)
    desk.until(window, Phase.READY)
    assert not button.isChecked()
    assert not summary(window).isVisible()


def test_another_strength_of_the_adapter_makes_others(desk: Desk) -> None:
    window = desk.ready()
    window.playground.load(LoadRequest("other", adapter="/adapters/fox"))
    desk.until(window, Phase.LOADING)
    desk.until(window, Phase.READY)
    button = typed(desk, window, "How surprising is this?")
    button.click()
    desk.qtbot.waitUntil(summary(window).isVisible)
    named(window, QDoubleSpinBox, "adapter_strength").setValue(0.5)
    assert not button.isChecked()
    assert not summary(window).isVisible()
