"""The tables of the window's graph, cards and gauges, from the menu and from where they are drawn."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTabBar

from app.ui.widgets.numbers_table import NumbersTable
from tests.ui.desk import Desk, act, named


@pytest.mark.parametrize(
    ("name", "title"),
    [("show_tables", "Speed"), ("memory_gauge_as_table", "MLX memory")],
)
def test_what_a_run_has_drawn(desk: Desk, name: str, title: str) -> None:
    window = desk.ready()
    desk.send(window, "hello")
    action = act(window, name) if name == "show_tables" else window.findChild(QAction, name)
    assert action is not None
    action.trigger()
    tabs = named(window, QTabBar, "numbers_tabs")
    assert [tabs.tabText(place) for place in range(tabs.count())] == ["Speed", "Figures", "MLX memory", "Context"]
    table = named(window, NumbersTable, "numbers_table")
    assert table.isVisible()
    assert table.accessibleName() == title
    assert table.model().rowCount() > 0
