"""A reader who is at the end stays there while the text grows; one who is elsewhere is left there, with a way back."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QAbstractScrollArea

from app.ui.document.latest_button import LatestButton

SLACK_PX = 8
"""So close to the end counts as being there."""


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

    @Slot()
    def go(self) -> None:
        """To the end."""
        self.at_end = True
        self.stay()
        self.offer()

    @Slot()
    def stay(self) -> None:
        """At the end, where the reader is there."""
        if self.at_end:
            self._bar.setValue(self._bar.maximum())

    def offer(self) -> None:
        """The way back, where it is wanted."""
        self._latest.offer(not self.at_end)

    @Slot()
    def _note(self) -> None:
        at_end = self._bar.value() >= self._bar.maximum() - SLACK_PX
        if at_end != self.at_end:
            self.at_end = at_end
            self.offer()
