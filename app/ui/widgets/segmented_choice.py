"""A segmented control: buttons in a row, one of which is pressed."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.ui.widgets.buttons import push_button
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_row


class SegmentedChoice(QWidget):
    """A segmented control. `chosen` carries the key of the pressed button. Arrow keys move between the buttons."""

    chosen = Signal(str)

    def __init__(
        self, name: str, shown: str, words: Mapping[str, str], tips: Mapping[str, str], *, narrow: bool = False
    ) -> None:
        """`narrow`: the buttons share the available width, for many buttons."""
        super().__init__()
        named(self, name, shown)
        self._group = QButtonGroup(self)
        self._keys: list[str] = list(words)
        last = len(words) - 1
        for number, (key, word) in enumerate(words.items()):
            button = push_button(f"{name}_{key}", word, tips.get(key, ""), kind="narrow" if narrow else "")
            button.setCheckable(True)
            button.setProperty("segment", {0: "first", last: "last"}.get(number, "middle"))
            self._group.addButton(button, number)
        in_row(*((each, int(narrow)) for each in self._group.buttons()), on=self, gap=0)
        # Not `clicked`, since a screen reader only toggles.
        self._group.idToggled.connect(self._tell)
        self.show_choice(self._keys[0])

    @property
    def choice(self) -> str:
        return self._keys[self._group.checkedId()]

    def show_choice(self, key: str) -> None:
        """Press this button without a signal."""
        button = self._group.button(self._keys.index(key))
        with QSignalBlocker(self._group):
            button.setChecked(True)
        self.setAccessibleDescription(button.text())

    def allow(self, key: str, allowed: bool) -> None:
        """Enable or disable a button."""
        self._group.button(self._keys.index(key)).setEnabled(allowed)

    def _tell(self, number: int, pressed: bool) -> None:
        if pressed:
            self.setAccessibleDescription(self._group.button(number).text())
            self.chosen.emit(self._keys[number])
