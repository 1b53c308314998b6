"""Frames and bars."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.widgets import ThinBar


class Paints(QObject):
    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


def test_bar_shows_a_value_in_a_later_event(qtbot: QtBot, theme: Theme) -> None:
    bar, paints = ThinBar(theme, "bar"), Paints()
    qtbot.addWidget(bar)
    bar.show()
    qtbot.waitExposed(bar)
    QApplication.processEvents()
    bar.installEventFilter(paints)
    bar.setValue(500)
    assert bar.value() == 500 and not paints.count, "Qt would repaint the whole window at once"
    qtbot.waitUntil(lambda: paints.count > 0)
