"""The empty page: three prompts to try, or the way to a model."""

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.controls import Mode
from app.ui.conversation.first_prompts import FirstPrompt
from app.ui.conversation.welcome import Welcome
from app.ui.look.theme import Theme

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
    found = welcome.findChild(QAbstractButton, name)
    assert found is not None
    return found


def test_offer_when_pressed_emits_its_prompt(welcome: Welcome, qtbot: QtBot) -> None:
    welcome.show_ready("demo", OFFERS)
    with qtbot.waitSignal(welcome.picked) as told:
        button(welcome, "offer_2").click()
    assert told.args == [OFFERS[1]]


def test_recording_is_mentioned(welcome: Welcome) -> None:
    welcome.show_ready("demo", OFFERS)
    words = welcome.findChild(QLabel, "welcome_words")
    assert words is not None and "recorded" not in words.text()
    welcome.show_ready("demo", OFFERS, recorded=True)
    assert "Alternatives are recorded" in words.text()


def test_offer_names_its_prompt_and_explanation(welcome: Welcome) -> None:
    welcome.show_ready("demo", OFFERS)
    offer = button(welcome, "offer_1")
    assert offer.accessibleName() == "Count"
    assert offer.accessibleDescription() == "Sends: Count 1 to 5. A clean stop."


def test_loading_shows_prompts_disabled(welcome: Welcome) -> None:
    welcome.show_loading("demo", OFFERS)
    assert button(welcome, "offer_1").isVisible()
    assert not button(welcome, "offer_1").isEnabled()


def test_missing_model_offers_to_open_one(welcome: Welcome, qtbot: QtBot) -> None:
    welcome.show_no_model()
    assert not button(welcome, "offer_1").isVisible()
    with qtbot.waitSignal(welcome.open_requested):
        button(welcome, "welcome_open").click()


def test_heading_names_the_model(welcome: Welcome) -> None:
    welcome.show_ready("demo", OFFERS)
    heading = welcome.findChild(QLabel, "welcome_heading")
    assert heading is not None
    assert heading.text() == "Ask demo something."


def test_heading_of_a_base_model_asks_nothing(welcome: Welcome) -> None:
    welcome.show_ready("base", OFFERS[1:])
    heading = welcome.findChild(QLabel, "welcome_heading")
    assert heading is not None
    assert heading.text() == "base continues your text."
    assert not button(welcome, "offer_2").isVisible()


def test_model_that_failed_is_named_and_the_demo_offered(welcome: Welcome, qtbot: QtBot) -> None:
    welcome.show_no_model("/gone/<b>Llama</b>", demo=True)
    words = welcome.findChild(QLabel, "welcome_words")
    assert words is not None
    assert "/gone/<b>Llama</b>" in words.text()
    with qtbot.waitSignal(welcome.demo_requested):
        button(welcome, "welcome_demo").click()
    welcome.show_no_model()
    assert not button(welcome, "welcome_demo").isVisible()


def test_low_window_shows_only_prompts(welcome: Welcome, theme: Theme) -> None:
    welcome.show_ready("demo", OFFERS)
    welcome.resize(900, 240)
    words, offer = welcome.findChild(QLabel, "welcome_words"), button(welcome, "offer_2")
    assert words is not None and words.isVisible()
    high = offer.sizeHint().height()
    theme.resize(200)
    QApplication.processEvents()
    assert not words.isVisible()
    last = offer.mapTo(welcome, offer.rect().bottomLeft()).y()
    assert offer.sizeHint().height() < 2 * high and last <= welcome.height(), "whole, without being scrolled to"
    assert offer.toolTip() == "A length stop."
    welcome.resize(900, 800)
    assert words.isVisible()
