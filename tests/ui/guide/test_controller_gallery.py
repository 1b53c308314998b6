"""What was there before a card was used comes back: all of it, where it was, and nowhere else."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.controls import Controls, Mode
from app.files.settings import Settings
from app.ui.guide.controller import TryHint
from app.ui.guide.controller_gallery import ITEMS, Gallery, Item
from app.ui.look.theme import Theme
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


EXHIBITS = ((Item("one", "First", "Look.", "Say one"), "Sets: a."), (Item("two", "Second", "Start it."), ""))


@pytest.fixture
def gallery(qtbot: QtBot, theme: Theme) -> Gallery:
    made = Gallery(theme, EXHIBITS)
    qtbot.addWidget(made)
    made.show()
    return made


def button(gallery: Gallery, name: str) -> QPushButton:
    made = gallery.findChild(QPushButton, name)
    assert made is not None
    return made


def test_use_emits_the_card_and_closes_the_gallery(gallery: Gallery, qtbot: QtBot) -> None:
    gallery.allow(True)
    with qtbot.waitSignal(gallery.used) as told:
        button(gallery, "use_two").click()
    assert told.args == [1]
    assert not gallery.isVisible()


def test_gallery_without_a_model_is_disabled(gallery: Gallery) -> None:
    assert not button(gallery, "use_one").isEnabled()
    words = named(gallery, QLabel, "gallery_words")
    assert "Open a model" in words.text()


def test_hint_names_the_settings_and_puts_them_back(qtbot: QtBot, theme: Theme) -> None:
    hint = TryHint(theme)
    qtbot.addWidget(hint)
    hint.show_words("Sets: a.")
    assert hint.isVisible()
    undo = named(hint, QPushButton, "try_undo")
    with qtbot.waitSignal(hint.undone):
        undo.click()
    close = named(hint, QPushButton, "try_close")
    with qtbot.waitSignal(hint.left):
        close.click()
