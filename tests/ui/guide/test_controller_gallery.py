"""What was there before a card was used comes back: all of it, where it was, and nowhere else."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget

from app.controls import Controls, Mode
from app.settings import Settings
from app.ui.guide.gallery_items import ITEMS
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
        named(window, QAbstractButton, f"use_{card}").click()
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


def test_what_was_there_before_two_cards_comes_back(window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    use("twice")
    use("candidates")
    use("bias")
    use("seed")
    put_back(window)
    assert (typed(window), controls(window), offered(window)) == ("half a thought", MINE, False)


def test_what_was_changed_between_two_cards_comes_back_too(window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    use("twice")
    write(window, "a second thought")
    window.playground.set_controls(other := replace(controls(window), system="Be brief."))
    use("raw")
    assert controls(window).mode is Mode.RAW
    put_back(window)
    assert (typed(window), controls(window)) == ("a second thought", other)
    put_back(window)
    assert (typed(window), controls(window), offered(window)) == ("half a thought", MINE, False)


def test_it_is_put_back_in_its_own_session_alone(desk: Desk, window: MainWindow, use: Callable[[str], None]) -> None:
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


def test_in_the_other_mode_it_is_not_on_offer(window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    use("twice")
    window.playground.set_controls(replace(controls(window), mode=Mode.RAW))
    assert not offered(window)
    window.playground.set_controls(replace(controls(window), mode=Mode.CHAT))
    put_back(window)
    assert typed(window) == "half a thought"


def test_what_is_left_as_it_is_does_not_come_back(window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    use("twice")
    named(window, QAbstractButton, "try_close").click()
    assert not offered(window)
    use("seed")
    put_back(window)
    assert (typed(window), controls(window).system) == (PROMPTS["twice"], "")


def test_nothing_comes_back_after_all_is_deleted(desk: Desk, window: MainWindow, use: Callable[[str], None]) -> None:
    write(window, "half a thought")
    use("twice")
    window._features.settings.privacy._erase()  # which is asked for in a window of its own
    desk.qtbot.waitUntil(lambda: not offered(window))
