"""The picker as a whole: size, room for table and details, Esc."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from pytestqt.qtbot import QtBot

from app.library.types import DownloadState
from app.ui.look.theme import Theme
from app.ui.picker.details import WIDTH_PX
from app.ui.picker.dialog import MIN_PX, ModelPicker
from app.ui.widgets import ScrollColumn
from tests.ui.desk import named
from tests.ui.picker.builders import DETAILS, FIRST, ROWS, RecordingPicker, job

PADDING_PX = 6
"""Of a head, on either side."""


@pytest.fixture
def picker(qtbot: QtBot, theme: Theme) -> Iterator[ModelPicker]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    window.show()
    made = ModelPicker(theme, RecordingPicker().as_controller, window)
    made.open_at()
    made.local.show_models(ROWS, None)
    made.hub.show_results((FIRST,))
    made.hub.show_details(DETAILS)
    made.downloads.show_jobs([job(DownloadState.DOWNLOADING)])
    yield made
    made.close()


def test_picker_is_a_sheet_no_larger_than_its_window(picker: ModelPicker) -> None:
    assert picker.windowModality() is Qt.WindowModality.WindowModal
    behind = picker.parentWidget()
    assert behind is not None
    assert picker.width() <= behind.width() and picker.height() <= behind.height()


@pytest.mark.parametrize("name", ["local", "hub"])
@pytest.mark.parametrize(("percent", "width"), [(100, 900), (200, MIN_PX[0])])
def test_picker_table_and_details_both_have_room(
    picker: ModelPicker, theme: Theme, name: str, percent: int, width: int
) -> None:
    """In large text each has half of what there is, or the names and the heads of the table would be cut."""
    theme.resize(percent)
    picker.open_at(getattr(picker, name))
    picker.resize(width, 700)
    QApplication.processEvents()
    details = named(picker, ScrollColumn, f"{name}_details")
    table = named(picker, QTableView, f"{name}_models")
    assert details.width() <= theme.scaled(WIDTH_PX) and table.width() >= details.width() - 2
    assert details.width() == theme.scaled(WIDTH_PX) or percent == 200
    inside = details.widget()
    assert inside is not None and inside.width() == details.viewport().width() >= inside.minimumSizeHint().width()
    head = table.horizontalHeader()
    words = str(table.model().headerData(1, Qt.Orientation.Horizontal))
    assert head.fontMetrics().horizontalAdvance(words) + 2 * PADDING_PX <= head.sectionSize(1) or width < 900


def test_picker_escape_closes_a_question_first(picker: ModelPicker) -> None:
    picker.local.question.ask("Delete it?")
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.local.question.asking
    assert picker.isVisible()
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.isVisible()
