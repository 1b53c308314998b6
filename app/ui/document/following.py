"""Following the end of a growing text: the view scrolls along only if the reader is at the end."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractScrollArea, QToolButton

from app.i18n import tr
from app.ui.look import GAP_PX
from app.ui.widgets import named

DRESSED = (QEvent.Type.Show, QEvent.Type.StyleChange)
SLACK_PX = 8
"""Distance from the end that still counts as the end."""


class PaintedScrolling(QObject):
    """An event filter that makes the viewport opaque, so that Qt doesn't repaint all of it for each scroll step.

    Each time a style sheet with a border is applied, Qt turns this off. While text streams, most frames scroll, and
    each of them would repaint the page.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        area.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in DRESSED:
            self._area.viewport().setAutoFillBackground(True)
        return False


class Following(QObject):
    """Keeps a scroll area at its end while `at_end` is true. Scrolling changes `at_end`, and callers may."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self.at_end = True
        self._area = area
        self._bar = area.verticalScrollBar()
        # A child of the area, since the viewport would scroll the button with the text.
        self._latest = named(QToolButton(area), "latest", tr("Latest"), tr("Go to the end and follow the text"))
        self._latest.setText(tr("↓ latest"))
        self._latest.hide()
        self._latest.clicked.connect(self.go)
        self._bar.valueChanged.connect(self.update_at_end)
        self._bar.rangeChanged.connect(self.stay)

    def go(self) -> None:
        """Scroll to the end and follow it from now on."""
        self.at_end = True
        self.stay()
        self.update_button()

    def stay(self) -> None:
        """Scroll to the end again if the reader was there."""
        if self.at_end:
            self._bar.setValue(self._bar.maximum())

    def update_button(self) -> None:
        """Show the button “latest” in the lower right corner unless the reader is at the end."""
        self._latest.setVisible(not self.at_end)
        if not self.at_end:
            self._latest.adjustSize()
            corner = self._area.viewport().geometry().bottomRight()
            self._latest.move(corner.x() - self._latest.width() - GAP_PX, corner.y() - self._latest.height() - GAP_PX)
            self._latest.raise_()

    def update_at_end(self) -> None:
        """Follow the end from now on if the view is there."""
        at_end = self._bar.value() >= self._bar.maximum() - SLACK_PX
        if at_end != self.at_end:
            self.at_end = at_end
            self.update_button()
