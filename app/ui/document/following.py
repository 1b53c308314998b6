"""A reader who is at the end stays there while the text grows; one who is elsewhere is left there, with a way back."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractScrollArea, QToolButton

from app.i18n import tr
from app.ui.look import GAP_PX
from app.ui.widgets import named

SLACK_PX = 8
"""So close to the end counts as being there."""


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


class Following(QObject):
    """Watches the scroll bar of `area`. `at_end` may be set, to be kept through what moves it."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self.at_end = True
        self._bar = area.verticalScrollBar()
        self._latest = LatestButton(area)
        self._latest.clicked.connect(self.go)
        self._bar.valueChanged.connect(self._note)
        self._bar.rangeChanged.connect(self.stay)

    def go(self) -> None:
        """To the end."""
        self.at_end = True
        self.stay()
        self.offer()

    def stay(self) -> None:
        """At the end, where the reader is there."""
        if self.at_end:
            self._bar.setValue(self._bar.maximum())

    def offer(self) -> None:
        """Return the way back, where it is wanted."""
        self._latest.offer(not self.at_end)

    def _note(self) -> None:
        at_end = self._bar.value() >= self._bar.maximum() - SLACK_PX
        if at_end != self.at_end:
            self.at_end = at_end
            self.offer()
