from functools import partial

import pytest
from PySide6.QtWidgets import QSplitter, QTabWidget, QToolButton

from app.files.settings import Layout, Settings
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.shell.layout import COLUMNS_PX
from app.ui.widgets import ScrollColumn
from tests.ui.desk import Desk, act, named


@pytest.mark.slow
def test_window_state_saves_the_eos_probability(desk: Desk) -> None:
    window = desk.ready()
    graph = named(window, SpeedGraph, "speed_graph")
    assert not graph.scene.eos.is_on
    graph.set_eos(True)
    window.close()
    assert desk.kept[-1].layout.end_probability_shown
    assert named(desk.ready(desk.kept[-1]), SpeedGraph, "speed_graph").scene.eos.is_on


def test_full_screen_action_follows_the_window(desk: Desk) -> None:
    """A Mac's windows have a full-screen button."""
    window = desk.ready()
    window.showFullScreen()
    assert act(window, "full_screen").isChecked()
    act(window, "full_screen").trigger()
    assert not window.isFullScreen()
    assert not act(window, "full_screen").isChecked()


@pytest.mark.slow
def test_full_screen_of_a_maximized_window_keeps_it_maximized(desk: Desk) -> None:
    window = desk.ready()
    window.showMaximized()
    for full in (True, False):
        act(window, "full_screen").trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (full, True)


@pytest.mark.parametrize("percent", [200, pytest.param(100, marks=pytest.mark.slow)])
def test_inspector_is_as_wide_as_its_tabs_and_their_content(desk: Desk, percent: int) -> None:
    """The last tab was behind arrows, and the last of the five kinds was cut."""
    window = desk.ready()
    window.resize(1600, 1000)
    desk.theme.resize(percent)
    side, columns = named(window, QTabWidget, "side"), named(window, QSplitter, "columns")
    for tab in range(side.count()):
        side.setCurrentIndex(tab)
        columns.setSizes([220, 2_000, 1])
        desk.qtbot.waitUntil(partial(_is_whole, side))


@pytest.mark.parametrize("percent", [200, pytest.param(100, marks=pytest.mark.slow)])
def test_inspector_at_first_start_has_its_default_width(desk: Desk, percent: int) -> None:
    """With large text the inspector had its minimum width."""
    window = desk.ready(Settings(text_percent=percent))
    window.resize(1600, 1000)
    columns = named(window, QSplitter, "columns")
    desk.qtbot.waitUntil(lambda: columns.sizes()[2] == desk.theme.scaled(COLUMNS_PX[2]))


def _is_whole(side: QTabWidget) -> bool:
    arrows = [each for each in side.tabBar().findChildren(QToolButton) if each.isVisible()]
    rooms = side.currentWidget().findChildren(ScrollColumn)
    return not arrows and all(room.horizontalScrollBar().maximum() == 0 for room in rooms)


@pytest.mark.slow
def test_window_state_keeps_columns_of_unopened_tables(desk: Desk) -> None:
    tables = (("runs", ("=started", "-seed")),)
    window = desk.ready(Settings(layout=Layout(tables=tables)))
    window.close()
    assert desk.kept[-1].layout.tables == tables
