"""What the whole window says: every text that can be read or heard in it, and where it stands."""

from collections.abc import Iterator

from PySide6.QtCore import QAbstractListModel, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

BEGIN, END = "\u2060\u2064", "\u2064\u2060"
"""Marks around a text that was translated, where marks are the language. They have no width, so nothing is clipped."""
ROWS = 30
"""So many of a list are read."""


def said(window: QWidget) -> Iterator[tuple[str, str]]:
    """Where it stands, and what is said there."""
    for each in (window, *window.findChildren(QObject)):
        name = name_of(each)
        for what, text in texts_of(each):
            if text:
                yield f"{name} {what}", text


def name_of(each: QObject) -> str:
    while not each.objectName() and (above := each.parent()) is not None:
        each = above
    return f"{type(each).__name__} {each.objectName()}"


def texts_of(each: QObject) -> Iterator[tuple[str, str]]:
    match each:
        case QAction():
            yield "text", each.text()
            yield "tip", each.toolTip()
        case QWidget():
            yield "tip", each.toolTip()
            yield "name", each.accessibleName()
            yield "description", each.accessibleDescription()
            yield "help", each.whatsThis()
            if each.isWindow():
                yield "title", each.windowTitle()
    match each:
        case QLabel() | QAbstractButton():
            yield "text", each.text()
        case QLineEdit() | QPlainTextEdit() | QTextEdit():
            yield "placeholder", each.placeholderText()
        case QGroupBox() | QMenu():
            yield "title", each.title()
        case QComboBox():
            yield from (("choice", each.itemText(at)) for at in range(each.count()))
        case QTabBar():
            yield from (("tab", each.tabText(at)) for at in range(each.count()))
        case QAbstractItemView():
            yield from _cells(each)


def _cells(view: QAbstractItemView) -> Iterator[tuple[str, str]]:
    model = view.model()
    if model is None:
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()  # a list's is Qt's own matter
    for column in range(columns):
        for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            yield "head", str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
        for row in range(min(model.rowCount(), ROWS)):
            for what, role in (("cell", Qt.ItemDataRole.DisplayRole), ("cell tip", Qt.ItemDataRole.ToolTipRole)):
                yield what, str(model.index(row, column).data(role) or "")
