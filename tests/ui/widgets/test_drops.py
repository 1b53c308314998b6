from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.widgets.drops import FileDrops
from tests.ui.desk import named
from tests.ui.dropping import offered

BOTH = Qt.DropAction.MoveAction | Qt.DropAction.CopyAction


def enter(window: QWidget, data: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(QPoint(5, 5), BOTH, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier)
    event.setDropAction(Qt.DropAction.MoveAction)
    QApplication.sendEvent(window, event)
    return event


def test_drops_are_copies_with_a_frame_while_over_the_window(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    window, taken, allowed = QWidget(), list[tuple[Path, ...]](), [True]
    qtbot.addWidget(window)
    window.show()
    FileDrops(theme, window, taken.append, lambda: allowed[0])
    frame = named(window, QWidget, "drop_frame")
    assert not frame.isVisible()
    entered = enter(window, offered(tmp_path))
    assert entered.isAccepted() and entered.dropAction() is Qt.DropAction.CopyAction
    assert frame.isVisible() and frame.geometry() == window.rect()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not frame.isVisible()
    enter(window, offered(tmp_path))
    keys = Qt.KeyboardModifier.ShiftModifier
    data = offered(tmp_path)
    drop = QDropEvent(QPointF(5, 5), BOTH, data, Qt.MouseButton.LeftButton, keys)
    QApplication.sendEvent(window, drop)
    assert taken == [(tmp_path,)] and drop.dropAction() is Qt.DropAction.CopyAction and not frame.isVisible()
    allowed[0] = False
    assert not enter(window, offered(tmp_path)).isAccepted() and not frame.isVisible()
