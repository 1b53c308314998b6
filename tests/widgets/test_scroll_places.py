"""What is scrolled stays where it is when everything is dressed anew, and that is done to each widget once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.theme import Theme

DEEP = 12


class Counter(QObject):
    """How often a widget is told that it is dressed in another way."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.StyleChange
        return False


@pytest.fixture
def scrolled(qtbot: QtBot, theme: Theme) -> QScrollArea:
    """To its end, which the buttons have to reach: without the sheet they are lower."""
    area, page = QScrollArea(), QWidget()
    qtbot.addWidget(area)
    column = QVBoxLayout(page)
    for number in range(40):
        column.addWidget(QPushButton(str(number)))
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.resize(200, 200)
    area.show()
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    return area


def test_the_end_stays_in_sight(scrolled: QScrollArea, theme: Theme) -> None:
    before = scrolled.verticalScrollBar().value()
    theme.prefer(Qt.ColorScheme.Dark)
    assert scrolled.verticalScrollBar().value() == before


def test_larger_text_takes_nothing_back(scrolled: QScrollArea, theme: Theme) -> None:
    before = scrolled.verticalScrollBar().value()
    theme.resize(150)
    assert scrolled.verticalScrollBar().value() >= before


def test_smaller_text_leaves_no_gap(scrolled: QScrollArea, theme: Theme) -> None:
    theme.resize(80)
    bar = scrolled.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_what_lies_deep_is_dressed_no_more_often(qtbot: QtBot, theme: Theme) -> None:
    top = innermost = QWidget()
    qtbot.addWidget(top)
    for _ in range(DEEP):
        innermost = QWidget(innermost)
    top.show()
    counter = Counter(innermost)
    theme.prefer(Qt.ColorScheme.Dark)
    assert 0 < counter.count < DEEP / 2
