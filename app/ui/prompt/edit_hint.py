"""The line above the prompt while it edits an earlier turn, or waits for the model."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import in_row, plain_label, push_button


class EditHint(QWidget):
    cancelled = Signal()
    """The user keeps the earlier turn, or doesn't send the waiting prompt."""
    unsaved_wanted = Signal()
    """The user sends without waiting for the session database."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("edit_hint")
        self._editing, self._waiting, self._can_send_unsaved = False, "", False
        self._words = plain_label("", "", font=theme.font(Size.SMALL), wraps=True)
        tip = tr("Keep the earlier prompt unchanged (Esc)")
        self._cancel_edit = push_button(
            "cancel_edit", tr("Cancel"), tip, tr("Keep the earlier prompt"), press=self.cancelled
        )
        tip = tr("Keep the text in the field")
        self._cancel_wait = push_button("cancel_wait", tr("Don't send"), tip, press=self.cancelled)
        tip = tr("Don't wait for the session database: nothing is saved until Sluice quits")
        self._unsaved = push_button("send_unsaved", tr("Send without saving"), tip, press=self.unsaved_wanted)
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        in_row((self._words, 1), self._cancel_edit, self._unsaved, self._cancel_wait, on=self, margins=margins)
        self._show()

    def show_editing(self, editing: bool) -> None:
        self._editing = editing
        self._show()

    def show_waiting(self, words: str, unsaved: bool = False) -> None:
        """Show the reason for a waiting prompt; empty for none. `unsaved` offers to send without saving."""
        self._waiting, self._can_send_unsaved = words, unsaved
        self._show()

    def _show(self) -> None:
        editing = tr("Editing an earlier prompt. Sending it makes a branch; ‹ returns to the old one.")
        self._words.setText(self._waiting or editing)
        self._cancel_wait.setVisible(bool(self._waiting))
        self._unsaved.setVisible(bool(self._waiting) and self._can_send_unsaved)
        self._cancel_edit.setVisible(not self._waiting)
        self.setVisible(bool(self._waiting) or self._editing)
