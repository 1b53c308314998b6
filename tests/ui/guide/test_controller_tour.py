"""The tour: it doesn't start by itself, goes through all steps, and hides during an answer."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QWidget

from app.engine.echo.engine import EchoOptions
from app.files.settings import Settings
from app.state import Phase
from app.ui.guide.controller_tour import PLAYBACK_STEP, STEPS
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named

SLOW = EchoOptions(tokens_per_second=20, prefill_per_second=0, load_seconds=0)


def card(window: MainWindow) -> QWidget:
    return named(window, QWidget, "tour")


def press(window: MainWindow, name: str) -> None:
    named(window, QPushButton, name).click()


def test_tour_is_offered_at_the_first_start_and_not_shown(desk: Desk) -> None:
    window = desk.ready()
    assert window.findChild(QWidget, "tour") is None
    assert named(window, QPushButton, "welcome_tour").isVisible()
    press(window, "welcome_tour")
    assert card(window).isVisible()
    press(window, "tour_skip")
    assert not named(window, QPushButton, "welcome_tour").isVisible()
    guide = window._features.guide
    kept = guide.updated_settings(Settings())
    assert kept.toured
    guide.restore(Settings())
    assert named(window, QPushButton, "welcome_tour").isVisible()
    guide.restore(kept)
    assert not named(window, QPushButton, "welcome_tour").isVisible()


def test_tour_goes_through_all_steps_beside_their_targets(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1000, 700)
    act(window, "tour").trigger()
    assert not named(window, QPushButton, "tour_back").isEnabled()
    titles, covered = [], 0
    for number in range(len(STEPS)):
        titles.append(named(window, QLabel, "tour_title").text())
        ring = named(window, QWidget, "tour_ring").geometry()
        part = next(each for each in window._parts.tour_stops[number] if each.isVisible())
        assert ring.size() == part.size()
        prompt = named(window, QPlainTextEdit, "prompt")
        at = prompt.mapTo(window._parts, prompt.rect().topLeft())
        assert not card(window).geometry().intersects(prompt.rect().translated(at))
        assert window._parts.rect().contains(card(window).geometry())
        covered += card(window).geometry().intersects(ring)
        press(window, "tour_next")
    assert titles == [step.name for step in STEPS]
    assert covered <= 1, "only the page leaves no room beside it"
    assert not card(window).isVisible()
    act(window, "toggle_controls").trigger()
    act(window, "tour").trigger()
    press(window, "tour_next")
    press(window, "tour_next")
    assert named(window, QWidget, "tour_ring").size() == window._parts.bar.inspector.size(), "what is shown instead"
    press(window, "tour_back")
    assert named(window, QLabel, "tour_count").text() == "2 of 6"


def test_tour_passes_a_letter_to_the_prompt_and_ends_at_esc(desk: Desk) -> None:
    window = desk.ready()
    prompt = named(window, QPlainTextEdit, "prompt")
    prompt.setPlainText("a")
    act(window, "tour").trigger()
    go_on = named(window, QPushButton, "tour_next")
    assert QApplication.focusWidget() is go_on
    QTest.keyClicks(go_on, "b")
    assert (prompt.toPlainText(), QApplication.focusWidget()) == ("ab", prompt)
    assert card(window).isVisible()
    QTest.keyClick(prompt, Qt.Key.Key_Escape)
    assert not card(window).isVisible()
    act(window, "tour").trigger()
    QTest.keyClick(named(window, QPushButton, "tour_next"), Qt.Key.Key_Escape)
    assert not card(window).isVisible()
    assert (prompt.toPlainText(), QApplication.focusWidget()) == ("ab", prompt)


@pytest.mark.slow
def test_tour_hides_during_an_answer(desk: Desk) -> None:
    window = desk.ready(knobs=SLOW)
    act(window, "tour").trigger()
    press(window, "tour_next")
    named(window, QPlainTextEdit, "prompt").setPlainText("hello")
    press(window, "send")
    desk.until(window, Phase.GENERATING)
    assert not card(window).isVisible()
    assert not act(window, "tour").isEnabled()
    act(window, "stop").trigger()
    desk.until(window, Phase.READY)
    desk.qtbot.waitUntil(card(window).isVisible)
    assert named(window, QLabel, "tour_count").text() == "2 of 6"
    assert QApplication.focusWidget() not in card(window).findChildren(QWidget)


@pytest.mark.slow
def test_tour_plays_the_answer_back_at_the_instruments(desk: Desk) -> None:
    window = desk.ready()
    desk.send(window, "Hello")
    shown = window.playground.shown
    act(window, "tour").trigger()
    for _ in range(PLAYBACK_STEP):
        assert not shown.now.slowed
        press(window, "tour_next")
    assert shown.now.slowed
    assert card(window).isVisible(), "it stays: nothing is being written"
    press(window, "tour_next")
    assert not shown.now.slowed
    press(window, "tour_back")
    assert shown.now.slowed
    press(window, "tour_skip")
    assert not shown.now.slowed
