from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.rows import in_grid


def cell_of(grid: QGridLayout, widget: QWidget) -> tuple[int, int, int, int]:
    found = grid.getItemPosition(grid.indexOf(widget))
    assert isinstance(found, tuple)
    return found


def test_in_grid_single_part_spans_all_columns(qtbot: QtBot) -> None:
    window, parts = QWidget(), [QLabel(f"{number}") for number in range(4)]
    qtbot.addWidget(window)
    grid = in_grid([parts[0], (parts[1], Qt.AlignmentFlag.AlignTop)], parts[2], [None, parts[3]], on=window, tall=1)
    assert [cell_of(grid, part) for part in parts] == [(0, 0, 1, 1), (0, 1, 1, 1), (1, 0, 1, 2), (2, 1, 1, 1)]
    assert (grid.columnStretch(0), grid.columnStretch(1), grid.rowStretch(1)) == (1, 0, 1)
