"""How often tokens are handed over: each one, every so many, or all of them at the end."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES
from app.engine.types import AT_THE_END
from app.ui.look import GRID_PX, Theme, scaled
from app.ui.widgets import WholeField, in_row, named
from app.words import tr

EACH, EVERY, END = "each", "every", "end"
CHOICES = {EACH: tr("Every token"), EVERY: tr("Every so many"), END: tr("Only at the end")}
FIRST_MANY = 8
FIELD_PX = 72


class Interval(QWidget):
    """`edited` with the number; `refused` with what is wrong with what was typed."""

    edited = Signal(object)
    refused = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("interval")
        setting = SETTINGS["interval"]
        self._choice = named(QComboBox(), "stream_interval", setting.words, setting.meaning)
        for kind, words in CHOICES.items():
            self._choice.addItem(words, kind)
        self._many = WholeField("stream_every", replace(RANGES["interval"], minimum=2, neutral=2))
        named(self._many, "", tr("Tokens at a time"), setting.meaning)
        scaled(theme, self._many, QWidget.setFixedWidth, FIELD_PX)
        self._many.refused.connect(self.refused)
        self._many.chosen.connect(self.edited.emit)
        self._choice.currentIndexChanged.connect(self._choose)
        in_row((self._choice, 1), self._many, on=self, gap=GRID_PX)

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
