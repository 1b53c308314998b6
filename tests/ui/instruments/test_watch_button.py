"""The playback button in the graph's corner: its place does not depend on the run and its numbers."""

import pytest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import Figures
from app.ui.instruments.readouts import NumberLabel
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.instruments.strip import Strip
from app.ui.look.theme import Theme

WIDE, NARROW, LOW = (1280, 220), (560, 220), (1280, 60)


@pytest.fixture
def strip(qtbot: QtBot, theme: Theme) -> Strip:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    strip.resize(*WIDE)
    strip.show()
    strip.graph.watch.show_watching(watching=False, possible=True)
    return strip


def button(graph: SpeedGraph) -> QToolButton:
    found = graph.findChild(QToolButton, "watch_again")
    assert isinstance(found, QToolButton)
    return found


def test_watch_button_hidden_or_visible_leaves_the_plot_as_it_is(strip: Strip) -> None:
    watch, plot = strip.graph.watch, strip.graph._plot
    view = plot.view
    for watching, possible in ((False, False), (False, True), (True, False)):
        watch.show_watching(watching, possible)
        QApplication.processEvents()
        assert watch.isVisible() is button(strip.graph).isVisible() is (watching or possible)
        assert button(strip.graph).isEnabled() and plot.view.plot == view.plot


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("size", [WIDE, NARROW, LOW])
def test_watch_button_keeps_its_place_with_any_number(
    strip: Strip, theme: Theme, size: tuple[int, int], percent: int
) -> None:
    theme.resize(percent)
    strip.resize(*size)
    hero = strip.readouts.findChild(NumberLabel, "speed_now")
    assert hero is not None
    seen = set()
    for figure in (9.87, 36.1, 559.0, 1_234.0, 12_345.0):
        for watching in (False, True):
            strip.graph.watch.show_watching(watching, possible=True)
            strip.readouts.show_figures(Figures(2.5, 0.1, speed_now=figure, tokens=120))
            QApplication.processEvents()
            assert hero.width() >= hero.fontMetrics().horizontalAdvance(hero.text())
            watch = strip.graph.watch
            assert strip.graph.rect().contains(watch.geometry()) and watch.isVisible()
            seen.add((watch.geometry().getRect(), hero.pos().toTuple()))
    assert len(seen) == 1
