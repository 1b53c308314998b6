"""Number cards: true, spoken, calm."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.engine.frame import Figures
from app.ui.instruments.cards import CARDS, INTERVAL_S, Cards, NumberCard
from app.ui.look.palette import DARK, Colour
from app.ui.look.theme import Theme
from tests.ui.conftest import go_dark

FIGURES = Figures(
    elapsed=1.42,
    first_token=0.084,
    prompt_speed=1_234.5,
    speed_now=148.3,
    speed_mean=9.0,
    tokens=1_214,
    visible=1_213,
    reasoning=40,
)


@pytest.fixture
def cards(qtbot: QtBot, theme: Theme) -> Cards:
    cards = Cards(theme)
    qtbot.addWidget(cards)
    return cards


def shown(cards: Cards) -> dict[str, tuple[str, str]]:
    found = {}
    for card in CARDS:
        label = cards.findChild(QLabel, card.name)
        assert isinstance(label, QLabel)
        found[card.name] = (label.text(), label.accessibleName())
    return found


def test_dashes_before_a_run(cards: Cards) -> None:
    assert shown(cards) == {
        "speed_now": ("–", "Speed now: not defined yet"),
        "speed_mean": ("–", "Mean speed: not defined yet"),
        "first_token": ("–", "First token: not defined yet"),
        "prompt_speed": ("–", "Prompt speed: not defined yet"),
        "token_count": ("0", "Tokens: 0 generated, 0 visible"),
        "elapsed": ("–", "Elapsed: not defined yet"),
    }


def test_figures(cards: Cards) -> None:
    cards.show_figures(FIGURES)
    assert shown(cards) == {
        "speed_now": ("148", "Speed now: 148 tokens per second"),
        "speed_mean": ("9.00", "Mean speed: 9.00 tokens per second"),
        "first_token": ("84 ms", "First token: 84 milliseconds"),
        "prompt_speed": ("1,234", "Prompt speed: 1,234 tokens per second"),
        "token_count": ("1,214", "Tokens: 1,214 generated, 1,213 visible, 40 of them reasoning"),
        "elapsed": ("1.42 s", "Elapsed: 1.42 seconds"),
    }


def test_four_times_a_second_at_most(cards: Cards) -> None:
    tokens = []
    for tick in range(31):
        cards.advance(Figures(tokens=tick), tick / 30)
        tokens.append(shown(cards)["token_count"][0])
    assert len(set(tokens)) <= 1 + 1 / INTERVAL_S
    cards.show_figures(FIGURES)
    assert shown(cards)["token_count"][0] == "1,214", "the end is shown at once"


def test_a_run_that_begins_right_after_another_is_shown_at_once(cards: Cards) -> None:
    cards.advance(FIGURES, 1.0)
    cards.show_figures(Figures())
    cards.advance(Figures(tokens=3), 1.0 + INTERVAL_S / 10)
    assert shown(cards)["token_count"][0] == "3"


def test_tooltips_are_the_definitions(cards: Cards) -> None:
    tips = [card.toolTip() for card in cards.findChildren(NumberCard)]
    assert tips[1].startswith("(n − 1) ÷")
    assert len(set(tips)) == len(CARDS)


def test_digits_do_not_dance(cards: Cards) -> None:
    label = cards.findChild(QLabel, "speed_now")
    assert isinstance(label, QLabel)
    assert len({label.fontMetrics().horizontalAdvance(digit * 3) for digit in "0123456789"}) == 1


def test_theme_switches_live(cards: Cards, theme: Theme) -> None:
    cards.show()
    go_dark(theme)
    title = cards.findChildren(QLabel)[0]
    assert title.palette().color(title.foregroundRole()).name() == DARK[Colour.MUTED]


class Requests(QObject):
    """Counts how often a widget is asked to lay out its parts anew."""

    def __init__(self, widget: NumberCard) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_another_number_of_the_same_size_lays_nothing_out(qtbot: QtBot, cards: Cards) -> None:
    cards.show_figures(FIGURES)
    with qtbot.waitExposed(cards):
        cards.show()
    QApplication.processEvents()
    asked = [Requests(card) for card in cards.findChildren(NumberCard)]
    cards.show_figures(replace(FIGURES, speed_now=149.4, tokens=1_215))
    QApplication.processEvents()
    assert [each.count for each in asked] == [0] * len(CARDS)
    cards.show_figures(replace(FIGURES, tokens=1_000_000))
    label = cards.findChild(QLabel, "token_count")
    assert isinstance(label, QLabel)
    assert label.width() >= label.fontMetrics().horizontalAdvance("1,000,000")
    QApplication.processEvents()
    assert sum(each.count for each in asked) == 1
