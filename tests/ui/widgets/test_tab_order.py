from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.ui.widgets.tab_order import forward_focus, one_after_another


@pytest.fixture
def column(qtbot: QtBot) -> Iterator[QVBoxLayout]:
    whole = QWidget()
    qtbot.addWidget(whole)
    yield QVBoxLayout(whole)


def part(column: QVBoxLayout, *widgets: QWidget) -> QWidget:
    made = QWidget()
    inside = QVBoxLayout(made)
    for widget in widgets:
        inside.addWidget(widget)
    column.addWidget(made)
    return made


@pytest.mark.parametrize("proxy", [False, True])
def test_tab_order_deleted_widget_takes_no_later_one_along(column: QVBoxLayout, proxy: bool) -> None:
    earlier, choice = QWidget() if proxy else QLabel("goes"), QComboBox()
    part(column, earlier)
    part(column, choice)
    if proxy:
        forward_focus(earlier, choice)
    view = choice.view()
    one_after_another(column)
    earlier.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [isValid(each) for each in (earlier, choice, view)] == [False, True, True]
