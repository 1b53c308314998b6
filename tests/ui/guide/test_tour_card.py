"""The tour's card stands beside what it speaks of, within the window, and leaves free what it can."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.guide.tour_card import TourCard
from app.ui.look.theme import Theme

PROMPT = QRect(0, 400, 700, 80)
PARTS = {
    "prompt": PROMPT,
    "controls": QRect(700, 40, 300, 440),
    "button": QRect(620, 4, 80, 30),
    "instruments": QRect(0, 490, 1000, 170),
    "page": QRect(0, 40, 1000, 350),
}


@pytest.mark.parametrize("percent", [100, 150])
@pytest.mark.parametrize("part", PARTS)
def test_it_covers_neither_the_part_nor_the_prompt(qtbot: QtBot, theme: Theme, part: str, percent: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 660)
    theme.resize(percent)
    card = TourCard(theme, window)
    window.show()
    card.show_step(1, 6, "A title", "Two sentences of some length. They say what the part is there for, and why.")
    card.place(PARTS[part], [PROMPT])
    assert window.rect().contains(card.geometry())
    assert not card.geometry().intersects(PARTS[part])
    assert not card.geometry().intersects(PROMPT)
    ring = window.findChild(QWidget, "tour_ring")
    assert ring is not None
    assert (ring.geometry(), ring.isVisible()) == (PARTS[part], True)
    card.leave()
    assert not ring.isVisible() and not card.isVisible()
