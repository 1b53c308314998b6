"""The table of layers: where it opens, and how wide its columns are."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.ui.inside.cells import heat_map
from app.ui.inside.grid import LayerGrid
from app.ui.look.theme import Theme
from tests.ui.inside.depths import depth


def test_of_a_deep_model_the_layer_where_it_turns_is_seen(qtbot: QtBot, theme: Theme) -> None:
    grid = LayerGrid(theme)
    qtbot.addWidget(grid)
    one = depth(*["dog"] * 12, *["fox"] * 20)
    grid.resize(280, grid.minimumHeight())
    grid.show()
    grid.show_grid(heat_map((one,), 5), layer=one.stays_from)
    assert grid.current is not None and grid.current.layer == 12
    seen = [grid.viewport().rect().contains(grid.visualRect(grid.model().index(row, 0))) for row in range(32)]
    assert all(seen[11:14]), "with its neighbours"
    grid.show_grid(heat_map((one,), 5))
    assert grid.current.layer == 31, "it turns nowhere"


def test_heads_of_columns_are_not_cut(qtbot: QtBot, theme: Theme) -> None:
    grid = LayerGrid(theme)
    qtbot.addWidget(grid)
    grid.show_grid(heat_map((depth("a", "b", said="visited"),), 5))
    assert grid.columnWidth(0) >= grid.horizontalHeader().sectionSizeHint(0)
