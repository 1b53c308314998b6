"""The empty page: prompts to try, or buttons to open a model."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.controls import Mode
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.welcome import Welcome
from app.ui.look.theme import Theme
from tests.ui.desk import named

OFFERS = (
    FirstPrompt("Count", "Count 1 to 5", "A clean stop.", Mode.CHAT, 20, 0.0),
    FirstPrompt("Raw", "Count", "A length stop.", Mode.RAW, 20, 0.0),
)


@pytest.fixture
def welcome(qtbot: QtBot, theme: Theme) -> Welcome:
    made = Welcome(theme)
    qtbot.addWidget(made)
    made.show()
    return made


def button(welcome: Welcome, name: str) -> QAbstractButton:
    return named(welcome, QAbstractButton, name)


def words(welcome: Welcome, name: str = "welcome_words") -> QLabel:
    return named(welcome, QLabel, name)


def test_ready_offers_prompts_with_their_names(welcome: Welcome, qtbot: QtBot) -> None:
    welcome.show_ready("demo", OFFERS)
    assert words(welcome, "welcome_heading").text() == "Ask demo something."
    assert "recorded" not in words(welcome).text()
    offer = button(welcome, "offer_1")
    assert (offer.accessibleName(), offer.accessibleDescription()) == ("Count", "Sends: Count 1 to 5. A clean stop.")
    with qtbot.waitSignal(welcome.picked) as emitted:
        button(welcome, "offer_2").click()
    assert emitted.args == [OFFERS[1]]
    welcome.show_ready("demo", OFFERS, recorded=True)
    assert "Alternatives are recorded" in words(welcome).text()


def test_heading_of_one_line_has_the_height_of_one(welcome: Welcome, qtbot: QtBot) -> None:
    welcome.resize(800, 600)
    welcome.show_ready("demo", OFFERS)
    label = words(welcome, "welcome_heading")
    qtbot.waitUntil(lambda: label.width() > 600)
    assert label.height() < 2 * label.fontMetrics().height()


def test_ready_with_a_base_model_asks_nothing(welcome: Welcome) -> None:
    welcome.show_ready("base", OFFERS[1:])
    assert words(welcome, "welcome_heading").text() == "base continues your text."
    assert not button(welcome, "offer_2").isVisible()


def test_loading_shows_prompts_disabled(welcome: Welcome) -> None:
    welcome.show_loading("demo", OFFERS)
    assert button(welcome, "offer_1").isVisible() and not button(welcome, "offer_1").isEnabled()


def test_no_model_offers_to_open_one(welcome: Welcome, qtbot: QtBot) -> None:
    welcome.show_no_model("/gone/<b>Llama</b>", demo=True)
    assert "/gone/<b>Llama</b>" in words(welcome).text()
    assert not button(welcome, "offer_1").isVisible()
    for name, signal in (("welcome_demo", welcome.demo_requested), ("welcome_open", welcome.open_requested)):
        with qtbot.waitSignal(signal):
            button(welcome, name).click()
    welcome.show_no_model()
    assert not button(welcome, "welcome_demo").isVisible()


def test_low_window_shows_only_prompts(welcome: Welcome, theme: Theme) -> None:
    welcome.show_ready("demo", OFFERS)
    welcome.resize(900, 240)
    offer = button(welcome, "offer_2")
    assert words(welcome).isVisible()
    high = offer.sizeHint().height()
    theme.resize(200)
    QApplication.processEvents()
    assert not words(welcome).isVisible()
    last = offer.mapTo(welcome, offer.rect().bottomLeft()).y()
    assert offer.sizeHint().height() < 2 * high and last <= welcome.height(), "whole, without being scrolled to"
    assert offer.toolTip() == "A length stop."
    welcome.resize(900, 800)
    assert words(welcome).isVisible()
