"""A choice of a few words side by side, of which one is pressed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.ui.look import GRID_PX
from app.ui.widgets.buttons import push_button
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_column, in_row


class SegmentedChoice(QWidget):
    """`chosen` carries the key of the word that the user pressed. Arrow keys go from one to the next.

    Many words stand in several rows, `across` in each.
    """

    chosen = Signal(str)

    def __init__(
        self, name: str, shown: str, words: Mapping[str, str], tips: Mapping[str, str], across: int = 0
    ) -> None:
        super().__init__()
        named(self, name, shown)
        self._group = QButtonGroup(self)
        self._keys: list[str] = list(words)
        across = across or len(words)
        for number, (key, word) in enumerate(words.items()):
            button = push_button(f"{name}_{key}", word, tips.get(key, ""))
            button.setCheckable(True)
            column = number % across
            ends = column == across - 1 or number == len(words) - 1
            place = ("alone" if ends else "first") if column == 0 else "last" if ends else "middle"
            button.setProperty("segment", place)
            self._group.addButton(button, number)
        buttons, share = self._group.buttons(), int(across < len(words))
        lines = (buttons[first : first + across] for first in range(0, len(words), across))
        in_column(*(in_row(*((each, share) for each in line), gap=0) for line in lines), on=self, gap=GRID_PX)
        # Not clicked: a screen reader toggles.
        self._group.idToggled.connect(self._tell)
        self.show_choice(self._keys[0])

    @property
    def choice(self) -> str:
        return self._keys[self._group.checkedId()]

    def show_choice(self, key: str) -> None:
        """Press this one, telling nobody."""
        button = self._group.button(self._keys.index(key))
        with QSignalBlocker(self._group):
            button.setChecked(True)
        self.setAccessibleDescription(button.text())

    def allow(self, key: str, allowed: bool) -> None:
        """Whether this word may be chosen."""
        self._group.button(self._keys.index(key)).setEnabled(allowed)

    @Slot(int, bool)
    def _tell(self, number: int, pressed: bool) -> None:
        if pressed:
            self.setAccessibleDescription(self._group.button(number).text())
            self.chosen.emit(self._keys[number])
