"""One page of the settings: groups of rows, each with a name, a control, and a sentence where one is needed."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFrame, QLabel, QScrollArea, QSizePolicy, QWidget

from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Colour, Size, Theme, scaled
from app.ui.widgets import ChoiceBox, RoundedFrame, held, in_column, in_row, named, plain_label
from app.ui.widgets.wheel_guard import WheelGuard

LEFT_TO_RIGHT, TOP_TO_BOTTOM = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
WIDEST_PX = 640
"""Longer lines are hard to read."""


class SettingsRow(QWidget):
    """A control under the `name` that it has, or another one. `below`: what is too wide to stand beside that."""

    def __init__(
        self, theme: Theme, control: QWidget, sentence: str = "", *, name: str = "", below: QWidget | None = None
    ) -> None:
        super().__init__()
        self._control = control
        self._name = _words(name or control.accessibleName())
        if not isinstance(control, ChoiceBox):  # which has a label of its own
            self._name.setBuddy(control)
        small = theme.font(Size.SMALL)
        self._sentence = _fitted(plain_label(f"{control.objectName()}_sentence", font=small, muted=True, wraps=True))
        self._line = QBoxLayout(LEFT_TO_RIGHT)
        self._line.setSpacing(MARGIN_PX)
        self._line.addWidget(self._name, 1)
        self._line.addWidget(control)
        column = in_column(self._line, on=self, gap=GRID_PX, margins=(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX))
        if below is not None:
            column.addWidget(below)
        column.addWidget(self._sentence)
        self.explain(sentence)

    def explain(self, sentence: str) -> None:
        """What the control does, and when; whoever hears the control hears it too."""
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._control.setAccessibleDescription(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where large text leaves no room beside the name, the control stands below it."""
        super().resizeEvent(event)
        name = self._name.fontMetrics().horizontalAdvance(self._name.text())
        beside = name + self._control.sizeHint().width() + 3 * MARGIN_PX + GRID_PX <= self.width()
        way, place = (LEFT_TO_RIGHT, Qt.AlignmentFlag(0)) if beside else (TOP_TO_BOTTOM, Qt.AlignmentFlag.AlignLeft)
        if self._line.direction() is not way:
            self._line.setDirection(way)
            self._line.setAlignment(self._control, place)


class SettingsNote(QWidget):
    """A row that only tells something."""

    def __init__(self, theme: Theme, name: str, title: str) -> None:
        super().__init__()
        self._title = title
        small = theme.font(Size.SMALL)
        self._said = _fitted(plain_label(name, font=small, muted=True, wraps=True, selectable=True))
        in_column(_words(title), self._said, on=self, gap=GRID_PX, margins=(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX))

    def say(self, words: str) -> None:
        self._said.setText(words)
        self._said.setAccessibleName(f"{self._title}: {words}")


class Page(QScrollArea):
    """Scrolls where large text leaves no room; a wheel that scrolls changes no value."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None) -> None:
        super().__init__(parent, widgetResizable=True)
        self._theme = theme
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._calm = WheelGuard(self)
        self._inside = QWidget()
        self.setWidget(self._inside)
        scaled(theme, self._inside, QWidget.setMaximumWidth, WIDEST_PX)
        self._column = in_column(..., on=self._inside, margins=(0, 0, MARGIN_PX, 0))

    def add_group(self, title: str, *rows: QWidget) -> None:
        """Rows that belong together, in a frame with a hairline between them."""
        head = _fitted(plain_label("", title, font=self._theme.font(Size.NORMAL, bold=True), wraps=True))
        head.setContentsMargins(GRID_PX, GAP_PX * (self._column.count() > 1), 0, 0)
        box = RoundedFrame(self._theme, Colour.SURFACE, Colour.LINE)
        # Put in its place while it is empty: moved with its rows, each of them would be dressed anew.
        for part in (head, box):
            self._column.insertWidget(self._column.count() - 1, part)
        column = in_column(on=box, gap=0, margins=(1, GRID_PX, 1, GRID_PX))
        for number, row in enumerate(rows):
            if number:
                column.addWidget(_Hairline(self._theme))
            column.addWidget(row)
        self._calm.watch(box)


class _Hairline(RoundedFrame):
    """Between two rows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, Colour.LINE, Colour.LINE)
        self.setFixedHeight(1)


def _words(text: str) -> QLabel:
    return _fitted(plain_label("", text, wraps=True))


def _fitted(label: QLabel) -> QLabel:
    # As high as its lines are at the width that it has: its own hint is for a narrower one.
    label.setMinimumHeight(1)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label


class Choice(ChoiceBox):
    """As wide as its longest entry; `tell` hears what stands for the one that the user chose."""

    def __init__(
        self, name: str, spoken: str, tip: str, entries: Mapping[Any, str], tell: Callable[[Any], object]
    ) -> None:
        super().__init__(name, spoken, tip, entries)
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(lambda: tell(self.currentData()))

    def show_value(self, value: object) -> None:
        """What no entry stands for becomes one."""
        if self.findData(value) < 0:
            self.addItem(str(value), value)
        super().show_value(value)


def check_box(name: str, spoken: str, tip: str) -> QCheckBox:
    """Its name stands beside it."""
    made = named(QCheckBox(), name, spoken, tip)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def side_by_side(*parts: QWidget, at_end: bool = False) -> QWidget:
    """In one line, as wide as they are; `at_end` of a longer one."""
    return named(held(in_row(*((...,) if at_end else ()), *parts)), f"{parts[0].objectName()}_line")
