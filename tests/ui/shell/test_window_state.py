"""What is shown beside the conversation is shown again the next time."""

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtWidgets import QSplitter, QTabWidget, QToolButton

from app.files.settings import Layout, Settings
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.shell.layout import COLUMNS_PX
from app.ui.widgets import ScrollColumn
from tests.ui.desk import Desk, act, named


@pytest.mark.slow
def test_the_end_probability_stays_shown(desk: Desk) -> None:
    window = desk.ready()
    graph = named(window, SpeedGraph, "speed_graph")
    assert not graph.scene.eos.is_on
    graph.set_eos(True)
    window.close()
    assert desk.kept[-1].layout.end_probability_shown
    assert named(desk.ready(desk.kept[-1]), SpeedGraph, "speed_graph").scene.eos.is_on


def test_the_menu_knows_of_full_screen_whoever_asked_for_it(desk: Desk) -> None:
    """A Mac's windows have a green button."""
    window = desk.ready()
    window.showFullScreen()
    assert act(window, "full_screen").isChecked()
    act(window, "full_screen").trigger()
    assert not window.isFullScreen()
    assert not act(window, "full_screen").isChecked()


@pytest.mark.slow
def test_after_full_screen_a_window_is_as_large_as_before(desk: Desk) -> None:
    window = desk.ready()
    window.showMaximized()
    for full in (True, False):
        act(window, "full_screen").trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (full, True)


@pytest.mark.parametrize("percent", [200, pytest.param(100, marks=pytest.mark.slow)])
def test_the_inspector_is_no_narrower_than_its_tabs_and_what_is_in_them(desk: Desk, percent: int) -> None:
    """The last tab was behind arrows, and of the five looks into a token the last one was cut."""
    window = desk.ready()
    window.resize(1600, 1000)
    desk.theme.resize(percent)
    side, columns = named(window, QTabWidget, "side"), named(window, QSplitter, "columns")
    for tab in range(side.count()):
        side.setCurrentIndex(tab)
        columns.setSizes([220, 2_000, 1])
        desk.qtbot.waitUntil(partial(_is_whole, side))


@pytest.mark.parametrize("percent", [200, pytest.param(100, marks=pytest.mark.slow)])
def test_a_first_start_gives_the_inspector_its_usual_width(desk: Desk, percent: int) -> None:
    """Large text took none of the conversation's room for it: the inspector had its least width."""
    window = desk.ready(Settings(text_percent=percent))
    window.resize(1600, 1000)
    columns = named(window, QSplitter, "columns")
    desk.qtbot.waitUntil(lambda: columns.sizes()[2] == desk.theme.scaled(COLUMNS_PX[2]))


def _is_whole(side: QTabWidget) -> bool:
    arrows = [each for each in side.tabBar().findChildren(QToolButton) if each.isVisible()]
    rooms = side.currentWidget().findChildren(ScrollColumn)
    return not arrows and all(room.horizontalScrollBar().maximum() == 0 for room in rooms)


@pytest.mark.slow
def test_the_columns_of_tables_are_kept(desk: Desk) -> None:
    """Also where no table was looked at this time."""
    tables = (("runs", ("=started", "-seed")),)
    window = desk.ready(replace(Settings(), layout=Layout(tables=tables)))
    window.close()
    assert desk.kept[-1].layout.tables == tables
