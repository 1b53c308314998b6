"""The tables dialog: every number with its heading, read by screen readers, and copied."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import ContextUse, Figures, Point
from app.engine.types import Memory
from app.ui.instruments import context_gauge, memory_gauge
from app.ui.instruments.readouts import TITLES, ReadOuts
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.instruments.tables_dialog import COPIED, COPY, TablesDialog
from app.ui.look.theme import Theme
from app.ui.widgets.table import Numbers, NumbersTable

SPEED = Numbers("Speed", ("Seconds", "Tokens"), (("0.100", "1"), ("0.200", "1,002")))
EMPTY = Numbers("Memory", ("Name", "Value"))


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme) -> Iterator[TablesDialog]:
    behind = QWidget()
    qtbot.addWidget(behind)
    made = TablesDialog(theme, behind)
    made.show_numbers((SPEED, EMPTY))
    made.show()
    yield made
    made.close()


def part(dialog: TablesDialog, kind: type[QWidget], name: str) -> QWidget:
    found = dialog.findChild(kind, name)
    assert found is not None
    return found


def test_table_cell_has_its_heading_in_its_accessible_text(dialog: TablesDialog) -> None:
    table = dialog.findChild(NumbersTable)
    assert table is not None
    assert table.accessibleName() == "Speed"
    model = table.model()
    assert (model.rowCount(), model.columnCount()) == (2, 2)
    assert model.index(1, 1).data() == "1,002"
    assert model.index(1, 1).data(Qt.ItemDataRole.AccessibleTextRole) == "Tokens: 1,002"
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 1


def test_copy_copies_the_displayed_table(dialog: TablesDialog) -> None:
    copy = dialog.findChild(QPushButton, "numbers_copy")
    assert copy is not None
    copy.click()
    assert QGuiApplication.clipboard().text() == "Seconds,Tokens\n0.100,1\n0.200,1002\n"
    assert copy.text() == COPIED
    tabs = dialog.findChild(QTabBar, "numbers_tabs")
    assert tabs is not None
    tabs.setCurrentIndex(1)
    assert (copy.text(), copy.isEnabled()) == (COPY, False)
    assert part(dialog, QLabel, "numbers_nothing").isVisible()


def test_speed_table_has_every_point(qtbot: QtBot, theme: Theme) -> None:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    curve = graph.scene.curve
    curve.extend([Point(number / 100, number, 100.0) for number in range(1, 2001)], Figures())
    assert len(curve.drawn) < 2000
    rows = graph.numbers().rows
    assert (len(rows), rows[-1]) == (2000, ("20.000", "2,000", "100"))


def test_gauge_tables_have_all_figures(qtbot: QtBot, theme: Theme) -> None:
    memory = memory_gauge.MemoryGauge(theme)
    cards = ReadOuts(theme, ())
    for widget in (memory, cards):
        qtbot.addWidget(widget)
    assert memory.numbers().rows == ()
    memory.show_memory(Memory(6 * 10**9, 10**9, 8 * 10**9, 0, 4 * 10**9, 10**9))
    assert memory.numbers().rows == (
        ("Active", "6.00 GB"),
        ("Active: weights", "4.00 GB"),
        ("Active: KV cache", "1.00 GB"),
        ("Active: other", "1.00 GB"),
        ("Allocator cache", "1.00 GB"),
        ("Peak", "8.00 GB"),
        ("Limit", "not reported"),
    )
    used = context_gauge.reading_of(ContextUse(100, 50, 1000)).rows
    assert used == (("Tokens used", "100"), ("Up to max tokens", "50"), ("Free", "850"), ("Context length", "1,000"))
    assert [title for title, _ in cards.numbers().rows] == list(TITLES.values())
    assert ("Mean speed", "not defined yet") in cards.numbers().rows
