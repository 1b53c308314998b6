"""The strip that announces a removal and offers Undo."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame

from app.i18n import tr
from app.ui.look import GAP_PX, MARGIN_PX
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import as_tip
from app.ui.widgets.rows import Margins, in_row


class UndoStrip(QFrame):
    """Stays visible until it is used; each Undo restores the last removal."""

    restored = Signal(object)
    """The removed object."""
    changed = Signal(bool)
    """Whether something can be restored."""

    def __init__(self, name: str, tip: str, margins: Margins = 0) -> None:
        super().__init__()
        self.setObjectName(f"{name}_undo_strip")
        self._gone: list[tuple[object, str]] = []
        self._said = plain_label(f"{name}_deleted")
        self._undo = push_button(f"{name}_undo", tr("Undo"), tip, press=self.undo)
        in_row((self._said, 1), self._undo, on=self, margins=margins)
        self.hide()

    def offer(self, gone: object, said: str) -> None:
        """Offer to undo a removal, with this text."""
        self._gone.append((gone, said))
        self._show()

    def undo(self) -> None:
        if self._gone:
            gone, _ = self._gone.pop()
            self._show()
            self.restored.emit(gone)

    def forget(self) -> None:
        """Drop all removals and hide the strip."""
        self._gone.clear()
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._gone))
        self.changed.emit(bool(self._gone))
        if self._gone:
            said = self._gone[-1][1]
            self._said.setAccessibleName(said)
            self._said.setToolTip(as_tip(said))
            room = max(0, self.width() - self._undo.sizeHint().width() - 2 * MARGIN_PX - GAP_PX)
            metrics = QFontMetrics(self._said.font())
            self._said.setText(metrics.elidedText(said, Qt.TextElideMode.ElideRight, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()
