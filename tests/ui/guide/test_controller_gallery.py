"""The gallery: the input from before a card comes back, in its session and mode only."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget

from app.controls import Controls, Mode
from app.files.settings import Settings
from app.state import Phase
from app.ui.guide.controller_gallery import ITEMS
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act, named

MINE = Controls(system="Answer like a pirate.")
PROMPTS = {item.name: item.prompt for item in ITEMS}


@pytest.fixture
def window(desk: Desk) -> MainWindow:
    return desk.ready(Settings(controls=MINE))


@pytest.fixture
def use(desk: Desk, window: MainWindow) -> Callable[[str], None]:
    def use_it(card: str) -> None:
        act(window, "gallery").trigger()
        button = named(window, QAbstractButton, f"use_{card}")
        button.click()
        assert not button.isVisible()
        desk.qtbot.waitUntil(lambda: typed(window) == PROMPTS[card])

    return use_it


def typed(window: MainWindow) -> str:
    return named(window, QPlainTextEdit, "prompt").toPlainText()


def write(window: MainWindow, text: str) -> None:
    named(window, QPlainTextEdit, "prompt").setPlainText(text)


def controls(window: MainWindow) -> Controls:
    return window.playground.state.controls


def put_back(window: MainWindow) -> None:
    assert offered(window)
    named(window, QAbstractButton, "try_undo").click()


def offered(window: MainWindow) -> bool:
    return named(window, QWidget, "try_hint").isVisible()


def test_put_back_restores_the_input_before_each_card(window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    for card in ("twice", "candidates", "bias", "seed"):
        use(card)
    write(window, "a second thought")
    window.playground.set_controls(other := replace(controls(window), system="Be brief."))
    use("raw")
    assert controls(window).mode is Mode.RAW
    put_back(window)
    assert (typed(window), controls(window)) == ("a second thought", other)
    put_back(window)
    assert (typed(window), controls(window), offered(window)) == ("half a thought", MINE, False)


def test_put_back_restores_only_its_own_session(desk: Desk, window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    use("twice")
    desk.send(window, PROMPTS["twice"])
    session = window.playground.state.session
    act(window, "new_session").trigger()
    assert not offered(window)
    desk.send(window, "Something else")
    assert not offered(window)
    window.playground.open_session(session)
    desk.qtbot.waitUntil(lambda: window.playground.state.session == session)
    put_back(window)
    assert (typed(window), controls(window).system) == ("half a thought", MINE.system)


def test_put_back_is_offered_in_its_mode_until_closed_or_deleted(
    desk: Desk, window: MainWindow, use: Callable[[str], None]
) -> None:
    write(window, "half a thought")
    use("twice")
    window.playground.set_controls(replace(controls(window), mode=Mode.RAW))
    assert not offered(window)
    window.playground.set_controls(replace(controls(window), mode=Mode.CHAT))
    assert offered(window)
    named(window, QAbstractButton, "try_close").click()
    assert not offered(window)
    use("seed")
    put_back(window)
    assert (typed(window), controls(window).system) == (PROMPTS["twice"], "")
    use("seed")
    window._features.settings.erase(lambda outcome: None)  # which is asked for in a window of its own
    desk.qtbot.waitUntil(lambda: not offered(window))


def test_gallery_during_a_run_or_without_a_model_is_disabled(desk: Desk, window: MainWindow) -> None:
    act(window, "gallery").trigger()
    use = named(window, QAbstractButton, "use_twice")
    assert use.isEnabled()
    window.playground.unload()
    desk.until(window, Phase.EMPTY)
    assert not use.isEnabled() and "Open a model" in named(window, QLabel, "gallery_words").text()
