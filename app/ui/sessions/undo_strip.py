"""The strip that says what was deleted, and brings it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.actions import shown
from app.records.types import SessionId
from app.ui.look.theme import GAP_PX, GRID_PX, MARGIN_PX
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.rows import in_row
from app.ui.widgets.tooltips import as_tip
from app.words import tr


class UndoStrip(QFrame):
    """Stays until it is used: each Undo brings back the session that was deleted last."""

    restored = Signal(int)
    changed = Signal(bool)
    """Whether there is something to bring back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("session_undo_strip")
        self._deleted: list[tuple[SessionId, str]] = []
        self._said = plain_label("session_deleted")
        tip = tr("Bring the session back ({key} in the list)").format(key=shown(("Ctrl+Z",)))
        self._undo = push_button("session_undo", tr("Undo"), tip, press=self.undo)
        in_row((self._said, 1), self._undo, on=self, margins=(MARGIN_PX, GRID_PX, GAP_PX, GRID_PX))
        self.hide()

    def offer(self, session: SessionId, title: str) -> None:
        """This one was deleted just now."""
        self._deleted.append((session, title))
        self._show()

    @Slot()
    def undo(self) -> None:
        if self._deleted:
            session, _ = self._deleted.pop()
            self._show()
            self.restored.emit(session)

    def forget(self) -> None:
        """What was deleted can't be brought back any more."""
        self._deleted.clear()
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._deleted))
        self.changed.emit(bool(self._deleted))
        if self._deleted:
            said = tr("Deleted “{title}”").format(title=self._deleted[-1][1])
            self._said.setAccessibleName(said)
            self._said.setToolTip(as_tip(said))
            room = max(0, self.width() - self._undo.sizeHint().width() - 2 * MARGIN_PX - GAP_PX)
            metrics = QFontMetrics(self._said.font())
            self._said.setText(metrics.elidedText(said, Qt.TextElideMode.ElideRight, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()
