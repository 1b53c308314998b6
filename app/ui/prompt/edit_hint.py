"""The line that says which turn the prompt field is about to replace."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.ui.look.theme import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.rows import in_row
from app.words import tr


class EditHint(QWidget):
    """`cancelled` when the turn shall stay as it was."""

    cancelled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("edit_hint")
        words = plain_label(
            "",
            tr("Editing an earlier prompt. Sending it asks again, and what followed it goes."),
            font=theme.font(Size.SMALL),
            wraps=True,
        )
        tip = tr("Leave the earlier prompt as it was")
        cancel = push_button("cancel_edit", tr("Keep it"), tip, tr("Keep the earlier prompt"), press=self.cancelled)
        in_row((words, 1), cancel, on=self, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))
        self.hide()
