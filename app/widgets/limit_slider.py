"""A slider for a number that matters by its magnitude: each step multiplies."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

STEPS_PER_DOUBLING = 4
LEAST = 1
MOST = 32_768


class LimitSlider(QSlider):
    """`chosen` when the user moved it."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(0, round(math.log2(MOST / LEAST)) * STEPS_PER_DOUBLING)
        self.setPageStep(STEPS_PER_DOUBLING)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._tell)

    def show_number(self, number: int) -> None:
        """Stand nearest to this number; a number beyond the end stands at the end."""
        with QSignalBlocker(self):
            self.setValue(round(math.log2(min(max(number, LEAST), MOST) / LEAST) * STEPS_PER_DOUBLING))

    def _tell(self, step: int) -> None:
        self.chosen.emit(max(LEAST, round(LEAST * 2 ** (step / STEPS_PER_DOUBLING))))
