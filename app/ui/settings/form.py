"""Declarative forms: a page of rows, each with a control that is bound to one field of `Settings`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QBoxLayout,
    QCheckBox,
    QDoubleSpinBox,
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme, scaled
from app.ui.widgets import (
    ChoiceBox,
    RoundedFrame,
    SegmentedChoice,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
)
from app.ui.widgets.number_field import with_text_margins
from app.ui.widgets.rows import WheelGuard

if TYPE_CHECKING:
    from app.ui.settings.controller import SettingsController

LEFT_TO_RIGHT, TOP_TO_BOTTOM = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
MAX_WIDTH_PX = 640
"""Longer lines are hard to read."""
FIELD_PX = 112

Edit = Callable[[Any], object]
Show = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Field:
    """One setting. `path` is its field in `Settings`, with a point before the field of an inner dataclass."""

    path: str
    name: str
    """The object name, without `settings_`."""
    label: str
    tip: str = ""
    sentence: str | Callable[[SettingsController], str] = ""
    """The text below the control, and its accessible description."""

    def make(self, theme: Theme, edit: Edit) -> tuple[QWidget, Show]:
        """Make the control, and the function that shows a value in it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Switch(Field):
    """A check box, for a bool."""

    def make(self, theme: Theme, edit: Edit) -> tuple[QWidget, Show]:
        box = named(QCheckBox(), f"settings_{self.name}", self.label, self.tip)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box.toggled.connect(edit)
        return box, box.setChecked


@dataclass(frozen=True, slots=True)
class Choices(Field):
    """A drop-down list; `entries` are labels by value."""

    entries: Mapping[Any, str] = field(default_factory=dict)

    def make(self, theme: Theme, edit: Edit) -> tuple[QWidget, Show]:
        box = OpenChoiceBox(f"settings_{self.name}", self.label, self.tip, self.entries)
        box.activated.connect(lambda: edit(box.currentData()))
        return box, box.show_value


@dataclass(frozen=True, slots=True)
class Segments(Field):
    """A segmented control. Each entry has a value, the end of the object name, a label and a tooltip."""

    buttons: tuple[tuple[Any, str, str, str], ...] = ()

    def make(self, theme: Theme, edit: Edit) -> tuple[QWidget, Show]:
        values = {key: value for value, key, _, _ in self.buttons}
        keys = {value: key for key, value in values.items()}
        labels = {key: label for _, key, label, _ in self.buttons}
        tips = {key: tip for _, key, _, tip in self.buttons}
        choice = SegmentedChoice(f"settings_{self.name}", self.label, labels, tips)
        choice.chosen.connect(lambda key: edit(values[key]))
        return choice, lambda value: choice.show_choice(keys[value])


@dataclass(frozen=True, slots=True)
class Gigabytes(Field):
    """An amount of memory in GB; 0 is shown as the text `special`. A value between 0 and the minimum becomes the
    minimum.
    """

    limits: tuple[float, float] = (0.0, 0.0)
    special: str = ""

    def make(self, theme: Theme, edit: Edit) -> tuple[QWidget, Show]:
        spin = QDoubleSpinBox(decimals=1, maximum=self.limits[1], singleStep=0.5, suffix=" GB")
        spin.setSpecialValueText(self.special)
        spin.valueChanged.connect(lambda value: edit(max(value, self.limits[0]) if value else 0.0))
        return _dressed(theme, self, spin), spin.setValue


@dataclass(frozen=True, slots=True)
class Milliseconds(Field):
    """A time in ms; 0 in the settings means `default`."""

    limits: tuple[int, int] = (0, 0)
    default: int = 0

    def make(self, theme: Theme, edit: Edit) -> tuple[QWidget, Show]:
        spin = QSpinBox(minimum=self.limits[0], maximum=self.limits[1], suffix=" ms")
        spin.valueChanged.connect(lambda value: edit(0 if value == self.default else value))
        return _dressed(theme, self, spin), lambda value: spin.setValue(value or self.default)


def _dressed(theme: Theme, each: Field, spin: QAbstractSpinBox) -> QWidget:
    with_text_margins(named(spin, f"settings_{each.name}", each.label, each.tip)).setKeyboardTracking(False)
    scaled(theme, spin, QWidget.setFixedWidth, FIELD_PX)
    WheelGuard(spin).watch(spin)
    return spin


class SettingsRow(QWidget):
    """A control under its accessible name, or under `name`. `below` is shown under it, over the full width."""

    def __init__(
        self, theme: Theme, control: QWidget, sentence: str = "", *, name: str = "", below: QWidget | None = None
    ) -> None:
        super().__init__()
        self._control = control
        self._name = _text(name or control.accessibleName())
        if not isinstance(control, ChoiceBox):  # it has its own label
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
        """Set the text below the control, which screen readers read with it."""
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._control.setAccessibleDescription(sentence)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the control below its name if there isn't enough room beside it."""
        super().resizeEvent(event)
        name = self._name.fontMetrics().horizontalAdvance(self._name.text())
        beside = name + self._control.sizeHint().width() + 3 * MARGIN_PX + GRID_PX <= self.width()
        way, alignment = (LEFT_TO_RIGHT, Qt.AlignmentFlag(0)) if beside else (TOP_TO_BOTTOM, Qt.AlignmentFlag.AlignLeft)
        if self._line.direction() is not way:
            self._line.setDirection(way)
            self._line.setAlignment(self._control, alignment)


class SettingsNote(QWidget):
    """A row without a control."""

    def __init__(self, theme: Theme, name: str, title: str, text: str = "") -> None:
        super().__init__()
        self._title = title
        small = theme.font(Size.SMALL)
        self._text = _fitted(plain_label(name, font=small, muted=True, wraps=True, selectable=True))
        in_column(_text(title), self._text, on=self, gap=GRID_PX, margins=(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX))
        self.show_text(text)

    def show_text(self, text: str) -> None:
        self._text.setText(text)
        self._text.setAccessibleName(f"{self._title}: {text}")


class SettingsPage(QScrollArea):
    """Groups of rows. It scrolls if there isn't enough room for large text; the wheel changes no value."""

    def __init__(self, name: str, settings: SettingsController, theme: Theme) -> None:
        super().__init__(widgetResizable=True)
        self._settings, self._theme = settings, theme
        self._bound: list[tuple[Field, SettingsRow, QWidget, Show]] = []
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self.setWidget(self._inside)
        scaled(theme, self._inside, QWidget.setMaximumWidth, MAX_WIDTH_PX)
        self._column = in_column(..., on=self._inside, margins=(0, 0, MARGIN_PX, 0))

    def refresh(self) -> None:
        """Show the current settings; no control reports a change."""
        values = self._settings.values
        for each, row, control, show in self._bound:
            with QSignalBlocker(control):
                show(attrgetter(each.path)(values))
            if callable(each.sentence):
                row.explain(each.sentence(self._settings))

    def bind(self, each: Field, below: QWidget | None = None) -> SettingsRow:
        """Make the row of a setting, which `refresh` keeps up to date."""
        control, show = each.make(self._theme, partial(self._settings.edit, each.path))
        sentence = "" if callable(each.sentence) else each.sentence
        row = SettingsRow(self._theme, control, sentence, below=below)
        self._bound.append((each, row, control, show))
        return row

    def add_group(self, title: str, *rows: QWidget | Field) -> None:
        """Add rows in one frame, with a hairline between them."""
        head = _fitted(plain_label("", title, font=self._theme.font(Size.NORMAL, bold=True), wraps=True))
        head.setContentsMargins(GRID_PX, GAP_PX * (self._column.count() > 1), 0, 0)
        box = RoundedFrame(self._theme, Color.SURFACE, Color.LINE)
        # Inserted while it is empty: otherwise Qt would polish each row again.
        for part in (head, box):
            self._column.insertWidget(self._column.count() - 1, part)
        column = in_column(on=box, gap=0, margins=(1, GRID_PX, 1, GRID_PX))
        for number, row in enumerate(rows):
            if number:
                hairline = RoundedFrame(self._theme, Color.LINE, Color.LINE)
                hairline.setFixedHeight(1)
                column.addWidget(hairline)
            column.addWidget(self.bind(row) if isinstance(row, Field) else row)


def _text(text: str) -> QLabel:
    return _fitted(plain_label("", text, wraps=True))


def _fitted(label: QLabel) -> QLabel:
    # The height of its lines at its current width: its size hint is for a narrower one.
    label.setMinimumHeight(1)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label


class OpenChoiceBox(ChoiceBox):
    """A box as wide as its longest entry. A value without an entry, from a settings file, becomes an entry."""

    def __init__(self, name: str, label: str, tip: str, entries: Mapping[Any, str]) -> None:
        super().__init__(name, label, tip, entries)
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)

    def show_value(self, value: object) -> None:
        if self.findData(value) < 0:
            self.addItem(str(value), value)
        super().show_value(value)


def side_by_side(*parts: QWidget, at_end: bool = False) -> QWidget:
    """Put widgets in one row; `at_end` aligns them to the right."""
    return named(layout_widget(in_row(*((...,) if at_end else ()), *parts)), f"{parts[0].objectName()}_line")
