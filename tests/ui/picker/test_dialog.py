"""The picker as a whole: everything in it has a name, and Esc leaves a question before it leaves the picker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTabBar,
    QTableView,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.library.types import DownloadState
from app.ui.look.theme import Theme
from app.ui.picker.dialog import ModelPicker
from tests.ui.picker.making import DETAILS, FIRST, ROWS, job

KINDS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QTableView, QTextEdit)
OWN_PARTS = ("qt_", "_q_")
"""How Qt names the parts that it makes itself."""


@pytest.fixture
def picker(qtbot: QtBot, theme: Theme) -> Iterator[ModelPicker]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 700)
    window.show()
    made = ModelPicker(theme, window)
    made.open_at()
    made.local.page.show_models(ROWS, None)
    made.hub.page.show_results((FIRST,))
    made.hub.page.show_details(DETAILS)
    made.downloads.show_jobs([job(DownloadState.DOWNLOADING)])
    yield made
    made.close()


def test_everything_has_a_name_and_a_hint(picker: ModelPicker) -> None:
    found = [widget for kind in KINDS for widget in picker.findChildren(kind)]
    used = [widget for widget in found if not widget.objectName().startswith(OWN_PARTS) and _is_own(widget)]
    assert len(used) >= 18
    lacking = [f"{type(widget).__name__} {widget.objectName()!r}" for widget in used if not _is_named(widget)]
    assert lacking == []


def _is_named(widget: QWidget) -> bool:
    """Rows of a table have hints of their own."""
    hinted = bool(widget.toolTip()) or isinstance(widget, QTableView)
    return bool(widget.objectName() and widget.accessibleName()) and hinted


def _is_own(widget: QWidget) -> bool:
    """Not a part of another control: the button that clears a field, the corner of a table, the tabs' arrows."""
    return not isinstance(widget.parentWidget(), (*KINDS, QTabBar))


def test_it_is_a_sheet_no_larger_than_its_window(picker: ModelPicker) -> None:
    assert picker.windowModality() is Qt.WindowModality.WindowModal
    behind = picker.parentWidget()
    assert behind is not None
    assert picker.width() <= behind.width() and picker.height() <= behind.height()


def test_esc_leaves_a_question_first(picker: ModelPicker) -> None:
    picker.local.page.question.ask("Delete it?")
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.local.page.question.asking
    assert picker.isVisible()
    QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_only_folders_are_taken(picker: ModelPicker, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in (tmp_path / "file", tmp_path)])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(picker.folder_dropped) as dropped:
        picker.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, button, keys))
    assert dropped.args == [tmp_path]
