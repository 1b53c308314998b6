"""The direction of a text: that of its first letter with a direction, as Unicode defines."""

import unicodedata

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.ui.widgets.table_model import Index

STRONG = {"L": False, "R": True, "AL": True}


def is_right_to_left(text: str) -> bool:
    return next((STRONG[kind] for kind in map(unicodedata.bidirectional, text) if kind in STRONG), False)


class OwnDirection(QStyledItemDelegate):
    """Cells with the direction of their own text: Qt would use that of the program, with the ellipsis at a text's
    beginning.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft
