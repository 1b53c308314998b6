"""A strip whose parts change all the time leaves the rest of the window alone, unless it needs other room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.steady_frame import SteadyFrame


class Requests(QObject):
    """Counts how often a widget is asked to lay out its parts anew."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def around(qtbot: QtBot) -> QWidget:
    """A window with a strip, in which two labels stand beside a column of a third."""
    around = QWidget()
    qtbot.addWidget(around)
    strip = SteadyFrame()
    strip.setObjectName("strip")
    row, column = QHBoxLayout(), QVBoxLayout()
    for name in ("one", "two", "three"):
        label = QLabel("123", strip)
        label.setObjectName(name)
        (row if name != "three" else column).addWidget(label)
    row.addLayout(column)
    strip.hold(row)
    QVBoxLayout(around).addWidget(strip)
    around.resize(400, 100)
    with qtbot.waitExposed(around):
        around.show()
    return around


def strip(around: QWidget) -> SteadyFrame:
    found = around.findChild(SteadyFrame, "strip")
    assert isinstance(found, SteadyFrame)
    return found


def label(around: QWidget, name: str) -> QLabel:
    found = around.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found


def test_what_fits_asks_nobody_for_room(qtbot: QtBot, around: QWidget) -> None:
    above, within = Requests(around), Requests(strip(around))
    label(around, "one").setText("321")
    qtbot.waitUntil(lambda: within.count == 1)
    assert above.count == 0


@pytest.mark.parametrize("name", ["one", "three"])
def test_what_needs_more_room_gets_it(qtbot: QtBot, around: QWidget, name: str) -> None:
    above, grown = Requests(around), label(around, name)
    grown.setText("a much longer text than there was before, for which the window is too narrow")
    qtbot.waitUntil(lambda: above.count == 1)
    qtbot.waitUntil(lambda: grown.width() >= grown.sizeHint().width())
    assert strip(around).contentsRect().contains(grown.geometry())


def test_its_parts_follow_its_size(qtbot: QtBot, around: QWidget) -> None:
    before = label(around, "two").x()
    around.resize(800, 100)
    qtbot.waitUntil(lambda: label(around, "two").x() > before)
    assert strip(around).sizeHint().height() >= label(around, "one").sizeHint().height()


def test_what_nobody_asked_anew_is_not_measured_again(around: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[str] = []
    monkeypatch.setattr(QHBoxLayout, "invalidate", lambda self: measured.append("row"))
    for _ in range(10):
        assert strip(around).minimumSizeHint().isValid() and strip(around).sizeHint().isValid()
    assert measured == []
