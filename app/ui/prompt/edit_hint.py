"""The line that says which turn the prompt field is about to replace."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.ui.look.theme import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme
from app.words import tr


class EditHint(QWidget):
    """`cancelled` when the turn shall stay as it was."""

    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("edit_hint")
        words = QLabel(tr("Editing an earlier prompt. Sending it asks again, and what followed it goes."))
        words.setFont(theme.font(Size.SMALL))
        words.setWordWrap(True)
        cancel = QPushButton(tr("Keep it"))
        cancel.setObjectName("cancel_edit")
        cancel.setAccessibleName(tr("Keep the earlier prompt"))
        cancel.setToolTip(tr("Leave the earlier prompt as it was"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        row.setSpacing(GAP_PX)
        row.addWidget(words, 1)
        row.addWidget(cancel)
        self.hide()
