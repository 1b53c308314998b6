"""How often tokens are handed over: each one, every so many, or all of them at the end."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.engine.sampling import RANGES, Range
from app.engine.types import AT_THE_END
from app.ui.look.sizes import scaled
from app.ui.look.theme import GRID_PX, Theme
from app.ui.widgets.number_field import WholeField
from app.words import tr

EACH, EVERY, END = "each", "every", "end"
CHOICES = {EACH: tr("Every token"), EVERY: tr("Every so many"), END: tr("Only at the end")}
FIRST_MANY = 8
FIELD_PX = 72
TIP = tr("How often text comes; the model works the same. At the end is what mlx-lm's generate() does.")


class Interval(QWidget):
    """`edited` with the number; `refused` with what is wrong with what was typed."""

    edited = Signal(object)
    refused = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("interval")
        self.setAccessibleName(tr("Stream interval"))
        self._choice = QComboBox()
        self._choice.setObjectName("stream_interval")
        self._choice.setAccessibleName(tr("Stream interval"))
        self._choice.setToolTip(TIP)
        for kind, words in CHOICES.items():
            self._choice.addItem(words, kind)
        limits = RANGES["interval"]
        self._many = WholeField("stream_every", Range(tr("Tokens at a time"), 2, limits.maximum, 2, TIP, whole=True))
        scaled(theme, self._many, QWidget.setFixedWidth, FIELD_PX)
        self._many.setToolTip(TIP)
        self._many.refused.connect(self.refused)
        self._many.chosen.connect(self.edited.emit)
        self._choice.currentIndexChanged.connect(self._choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX)
        row.addWidget(self._choice, 1)
        row.addWidget(self._many)

    def show_value(self, interval: int) -> None:
        """Set it, telling nobody."""
        kind = {AT_THE_END: END, 1: EACH}.get(interval, EVERY)
        with QSignalBlocker(self._choice):
            self._choice.setCurrentIndex(self._choice.findData(kind))
        self._many.setVisible(kind == EVERY)
        if kind == EVERY:
            self._many.show_value(interval)

    @Slot()
    def _choose(self) -> None:
        numbers = {EACH: 1, EVERY: max(FIRST_MANY, self._many.value()), END: AT_THE_END}
        self.edited.emit(numbers[self._choice.currentData()])
