"""What is shown beside the conversation is shown again the next time."""

from __future__ import annotations

from dataclasses import replace

from app.settings import Layout, Settings
from app.ui.instruments.speed_graph import SpeedGraph
from tests.ui.desk import Desk, act, named


def test_the_end_probability_stays_shown(desk: Desk) -> None:
    window = desk.ready()
    graph = named(window, SpeedGraph, "speed_graph")
    assert not graph.eos
    graph.set_eos(True)
    window.close()
    assert desk.kept[-1].layout.end_probability_shown
    assert named(desk.ready(desk.kept[-1]), SpeedGraph, "speed_graph").eos


def test_the_menu_knows_of_full_screen_whoever_asked_for_it(desk: Desk) -> None:
    """A Mac's windows have a green button."""
    window = desk.ready()
    window.showFullScreen()
    assert act(window, "full_screen").isChecked()
    act(window, "full_screen").trigger()
    assert not window.isFullScreen()
    assert not act(window, "full_screen").isChecked()


def test_after_full_screen_a_window_is_as_large_as_before(desk: Desk) -> None:
    window = desk.ready()
    window.showMaximized()
    for full in (True, False):
        act(window, "full_screen").trigger()
        assert (window.isFullScreen(), window.isMaximized()) == (full, True)


def test_the_columns_of_tables_are_kept(desk: Desk) -> None:
    """Also where no table was looked at this time."""
    tables = (("runs", ("=started", "-seed")),)
    window = desk.ready(replace(Settings(), layout=Layout(tables=tables)))
    window.close()
    assert desk.kept[-1].layout.tables == tables
