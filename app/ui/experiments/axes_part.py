"""Which settings are varied, and the values that each of them takes."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionComboBox, QWidget

from app.i18n import tr
from app.ui.experiments.values import Pair
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import ChoiceBox, in_grid, named, plain_label

MOST = 3
NONE = "–"
TIP = tr("The values in turn, with commas between them: 0, 0.7, 1")


class AxesPart(QWidget):
    """So many settings at the most; `edited` whenever something is another."""

    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._names: list[ChoiceBox] = []
        self._values: list[QLineEdit] = []
        title = plain_label("", tr("Varied settings, and their values"), font=theme.font(Size.NORMAL))
        for number in range(MOST):
            spoken = tr("Varied setting {number}").format(number=number + 1)
            name = NameBox(f"experiment_axis_{number}", spoken, tr("The setting that is varied"), narrow=True)
            values = _value_line(number)
            name.activated.connect(self._tell)
            values.textEdited.connect(self._tell)
            self._names.append(name)
            self._values.append(values)
        lines = [[name, values] for name, values in zip(self._names, self._values, strict=True)]
        in_grid(title, *lines, on=self, gap=GRID_PX, wide={0: 1, 1: 1})

    def axes(self) -> tuple[Pair, ...]:
        """The names of settings and their values as typed."""
        rows = zip(self._names, self._values, strict=True)
        return tuple((name.currentData(), values.text()) for name, values in rows if name.currentData())

    def offer(self, settings: Sequence[Pair], most: int, needed: int) -> None:
        """The settings there are, how many may be varied, and how many must be."""
        for number, (name, values) in enumerate(zip(self._names, self._values, strict=True)):
            name.show_entries(({"": NONE} if number >= needed else {}) | dict(settings))
            name.setVisible(number < most)
            values.setVisible(number < most)

    def show_axes(self, axes: Sequence[Pair]) -> None:
        """Set them, telling nobody."""
        for number, (name, values) in enumerate(zip(self._names, self._values, strict=True)):
            full, text = axes[number] if number < len(axes) else ("", "")
            name.show_value(full)
            values.setText(text)
            values.setCursorPosition(0)
            values.setEnabled(bool(name.currentData()))
            name.updateGeometry()

    @Slot()
    def _tell(self) -> None:
        for name, values in zip(self._names, self._values, strict=True):
            values.setEnabled(bool(name.currentData()))
            name.updateGeometry()
        self.edited.emit()


class NameBox(ChoiceBox):
    """Has room for the name that is chosen, which the values beside it leave."""

    def minimumSizeHint(self) -> QSize:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        words = QSize(self.fontMetrics().horizontalAdvance(self.currentText()), self.fontMetrics().height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, words, self)


def _value_line(number: int) -> QLineEdit:
    spoken = tr("Values of the varied setting {number}").format(number=number + 1)
    line = named(QLineEdit(), f"experiment_values_{number}", spoken, TIP)
    line.setPlaceholderText("0, 0.7, 1")
    return line
