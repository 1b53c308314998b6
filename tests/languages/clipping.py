"""Whose text doesn't fit: labels and buttons that are to be seen, as they are laid out now."""

from collections.abc import Iterator

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

SLACK_PX = 1


def clipped(window: QWidget) -> Iterator[str]:
    for each in window.findChildren(QWidget):
        if each.isVisible() and each.width() > 0 and (short := _missing_px(each)) > SLACK_PX:
            text = each.text() if isinstance(each, (QLabel, QAbstractButton)) else ""
            yield f"{type(each).__name__} {each.objectName()} in {each.parentWidget()}: {short} px short for {text!r}"


def _missing_px(each: QWidget) -> int:
    """So much more room its text would take."""
    match each:
        case QLabel() if each.wordWrap():
            return each.heightForWidth(each.width()) - each.height()
        case QLabel() if each.text() and each.minimumSizeHint().width() > 0:
            return _larger(each.minimumSizeHint(), each.size())
        case QAbstractButton():
            text = each.text().replace("&&", "\0").replace("&", "").replace("\0", "&")
            return _larger(each.fontMetrics().size(Qt.TextFlag.TextSingleLine, text), each.size())
    return 0


def _larger(wanted: QSize, actual: QSize) -> int:
    return max(wanted.width() - actual.width(), wanted.height() - actual.height())
