"""The tables dialog: every number with its heading, read by screen readers, and copied."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import ContextUse, Figures, Point
from app.ui.instruments.gauges import MemoryGauge, context_reading
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.instruments.strip import TITLES, ReadOuts
from app.ui.instruments.tables_dialog import COPIED, COPY, TablesDialog
from app.ui.look.theme import Theme
from app.ui.widgets.numbers_table import Numbers
from tests.ui.desk import named

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


def test_copy_copies_the_displayed_table(dialog: TablesDialog) -> None:
    copy = named(dialog, QPushButton, "numbers_copy")
    copy.click()
    assert QGuiApplication.clipboard().text() == "Seconds,Tokens\n0.100,1\n0.200,1002\n"
    assert copy.text() == COPIED
    named(dialog, QTabBar, "numbers_tabs").setCurrentIndex(1)
    assert (copy.text(), copy.isEnabled()) == (COPY, False)
    assert named(dialog, QLabel, "numbers_nothing").isVisible()


def test_speed_table_has_every_point(qtbot: QtBot, theme: Theme) -> None:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    curve = graph.scene.curve
    curve.extend([Point(number / 100, number, 100.0) for number in range(1, 2001)], Figures())
    assert len(curve.drawn) < 2000
    rows = graph.numbers().rows
    assert (len(rows), rows[-1]) == (2000, ("20.000", "2,000", "100"))


def test_tables_before_a_run_name_every_figure(qtbot: QtBot, theme: Theme) -> None:
    memory, readouts = MemoryGauge(theme), ReadOuts(theme, ())
    for widget in (memory, readouts):
        qtbot.addWidget(widget)
    assert memory.numbers().rows == ()
    assert [title for title, _ in readouts.numbers().rows] == list(TITLES.values())
    assert ("Mean speed", "not defined yet") in readouts.numbers().rows
    used = context_reading(ContextUse(100, 50, 1000)).rows
    assert used == (("Tokens used", "100"), ("Up to max tokens", "50"), ("Free", "850"), ("Context length", "1,000"))
