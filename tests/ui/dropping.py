"""Drops files on a part of the window."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.i18n import tr
from app.ui.prompt.editor import AttachmentsRow


def offered(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(target: QWidget, data: QMimeData) -> bool:
    """Drop data as Qt does: only if the widget accepts the drag; return whether it does."""
    left, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, left, keys)
    QApplication.sendEvent(target, enter)
    if enter.isAccepted():
        QApplication.sendEvent(target, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, left, keys))
    return enter.isAccepted()


def counted(row: AttachmentsRow) -> bool:
    """Return whether the sizes are in tokens, and no longer in characters."""
    letters = [tr("%n characters", "%n character", len(each.text)) for each in row.files]
    return all(label.text() != before for label, before in zip(row._counts, letters, strict=True))
