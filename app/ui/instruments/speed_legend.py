"""What the curves of the speed graph are: as many of them as there is room for, the first ones first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.definitions import meaning
from app.ui.look.palette import Colour
from app.ui.look.theme import GAP_PX, MUTED_ROLE, Size, Theme
from app.ui.widgets.naming import named

Entry = tuple[Colour, str, str]
"""Colour, mark and name of a curve."""


class SpeedLegend(QLabel):
    """The tooltip has all of them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[Entry, ...] = ()
        named(self, "speed_legend", font=theme.font(Size.SMALL))
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setForegroundRole(MUTED_ROLE)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self._write)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self._write()

    @Slot()
    def _write(self) -> None:
        words = self._marked(self._fitting())
        if words != self.text():
            self.setText(words)
        self.setToolTip(f"{self._marked(self._entries)}<p>{meaning('speed_now')}</p>")

    def _fitting(self) -> Sequence[Entry]:
        metrics, left = QFontMetrics(self.font()), self.width()
        for number, (_, mark, name) in enumerate(self._entries):
            left -= metrics.horizontalAdvance(f"{mark} {name}") + (2 * GAP_PX if number else 0)
            if left < 0:
                return self._entries[:number]
        return self._entries

    def _marked(self, entries: Sequence[Entry]) -> str:
        marks = [f'<span style="color:{self._theme.hex(role)}">{mark}</span> {name}' for role, mark, name in entries]
        return " &nbsp; ".join(marks)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._write()
