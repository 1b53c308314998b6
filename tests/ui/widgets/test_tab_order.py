"""The tab order is set without changing who owns the widgets."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.ui.widgets.tab_order import hand_on, one_after_another


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


def test_tab_order_deleted_widget_takes_no_later_one_along(column: QVBoxLayout) -> None:
    label, choice = QLabel("goes"), QComboBox()
    part(column, label)
    part(column, choice)
    view = choice.view()
    one_after_another(column)
    label.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(label)
    assert isValid(choice)
    assert isValid(view)


def test_tab_order_deleted_focus_proxy_takes_no_later_one_along(column: QVBoxLayout) -> None:
    whole, choice = QWidget(), QComboBox()
    part(column, whole)
    part(column, choice)
    hand_on(whole, choice)
    view = choice.view()
    one_after_another(column)
    whole.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert isValid(view)
