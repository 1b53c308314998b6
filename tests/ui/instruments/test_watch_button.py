"""The playback button in the graph's corner, whose place doesn't depend on the run and its numbers."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import Figures
from app.ui.instruments.strip import Strip
from app.ui.look.theme import Theme
from app.ui.widgets.number_label import NumberLabel
from tests.ui.desk import named

WIDE, NARROW, LOW = (1280, 220), (560, 220), (1280, 60)


@pytest.fixture
def strip(qtbot: QtBot, theme: Theme) -> Strip:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    strip.resize(*WIDE)
    strip.show()
    strip.graph.watch.show_watching(watching=False, possible=True)
    return strip


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("size", [WIDE, NARROW, LOW])
def test_watch_button_keeps_its_place_with_any_number(
    strip: Strip, theme: Theme, size: tuple[int, int], percent: int
) -> None:
    theme.resize(percent)
    strip.resize(*size)
    hero = named(strip, NumberLabel, "speed_now")
    watch, seen = strip.graph.watch, set()
    view = strip.graph._plot.view.plot
    strip.graph.watch.show_watching(watching=False, possible=False)
    assert not watch.isVisible() and strip.graph._plot.view.plot == view
    for figure in (9.87, 36.1, 559.0, 1_234.0, 12_345.0):
        for watching in (False, True):
            watch.show_watching(watching, possible=True)
            strip.readouts.show_figures(Figures(2.5, 0.1, speed_now=figure, tokens=120))
            QApplication.processEvents()
            assert hero.width() >= hero.fontMetrics().horizontalAdvance(hero.text())
            assert strip.graph.rect().contains(watch.geometry()) and watch.isVisible()
            seen.add((watch.geometry().getRect(), hero.pos().toTuple()))
    assert len(seen) == 1
