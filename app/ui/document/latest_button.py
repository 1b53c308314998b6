"""The small button that brings a reader back to where the text appears."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractScrollArea, QToolButton

from app.ui.look import GAP_PX
from app.ui.widgets import named
from app.words import tr


class LatestButton(QToolButton):
    """Lies over the lower right corner of a scroll area while its reader is elsewhere."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        # Not on the viewport, which would scroll it along with the text.
        super().__init__(area)
        self._area = area
        named(self, "latest", tr("Latest"), tr("Go to the end and follow the text"))
        self.setText(tr("↓ latest"))
        self.hide()

    def offer(self, wanted: bool) -> None:
        """Show it in its corner, or take it away."""
        self.setVisible(wanted)
        if wanted:
            self.adjustSize()
            corner = self._area.viewport().geometry().bottomRight()
            self.move(corner.x() - self.width() - GAP_PX, corner.y() - self.height() - GAP_PX)
            self.raise_()
