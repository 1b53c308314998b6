"""The map of cells: its size, its cells under pointer and keys, its labels."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.ui.interpretability.cell_map import NOWHERE, CellMap, CellSize, CellTable, labelled
from app.ui.look import Color
from app.ui.look.theme import Theme
from app.ui.tokens.colors import likely_ground

SIZE = CellSize(least=(20, 20), most=(60, 60))


def table(rows: int, columns: int) -> CellTable:
    shares = np.linspace(0, 1, rows * columns, dtype=np.float32).reshape(rows, columns)
    shares[0, -1] = np.nan
    texts = [f"{number}" for number in range(max(rows, columns))]
    return CellTable(shares, texts[:rows], texts[:columns], lambda row, column: f"{row} {column}")


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> CellMap:
    made = CellMap(theme, "some", "Some numbers", SIZE)
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


def test_cells_fill_the_room_and_scroll_beyond_their_least_size(shown: CellMap) -> None:
    shown.show_table(table(4, 7), (0, 0))
    assert shown.horizontalScrollBar().maximum() == 0 and shown._cell()[0] > 50
    shown.show_table(table(4, 100), (0, 99))
    assert shown._cell()[0] == 20
    bar = shown.horizontalScrollBar()
    assert bar.value() == bar.maximum() > 0, "the cursor is visible"
    assert shown._room().contains(shown._rect(0, 99).center())
    shown.resize(300, 300)
    assert shown._room().contains(shown._rect(0, 99).center()), "also in a smaller window"
    bar.setValue(0)
    shown.resize(400, 300)
    assert bar.value() == 0, "the user has scrolled away"


def test_pointer_and_keys_reach_the_cells(shown: CellMap) -> None:
    pointed, picked = list[tuple[int, int]](), list[tuple[int, int]]()
    shown.pointed.connect(lambda *cell: pointed.append(cell))
    shown.picked.connect(lambda *cell: picked.append(cell))
    shown.show_table(table(4, 7), (3, 6))
    at = shown._rect(2, 5).center().toPoint()
    QTest.mouseMove(shown.viewport(), at)
    QTest.mouseMove(shown.viewport(), QPoint(1, 1))
    assert pointed == [(2, 5), (NOWHERE, NOWHERE)]
    QTest.mousePress(shown.viewport(), Qt.MouseButton.LeftButton, pos=at)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Left):
        QTest.keyClick(shown, key)
    assert picked == [(2, 5), (3, 5), (3, 5), (3, 4)] and shown.cursor_cell == (3, 4)


def test_cells_are_darker_with_larger_shares_and_blank_for_nan(shown: CellMap, theme: Theme) -> None:
    shown.show_table(table(4, 7), (1, 1))
    image = shown.viewport().grab().toImage()

    def color(row: int, column: int) -> str:
        at = shown._rect(row, column).center().toPoint() + QPoint(9, 9)
        return image.pixelColor(at).name()

    assert color(0, 0) == likely_ground(0, theme).name()
    assert color(3, 6) == likely_ground(1, theme).name()
    assert color(0, 6) == theme.color(Color.SURFACE).name()


def test_labels_leave_room_for_the_current_one() -> None:
    assert labelled(range(4), 1, 0.5) == [(0, False), (1, True), (2, False), (3, False)]
    assert labelled(range(10), 4, 2.5) == [(0, False), (9, False), (4, True)]
