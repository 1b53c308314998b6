"""The controls of the next run: mode, system prompt, sampling and the end. Values in, one value out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSpinBox,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from app.engine.sampling import RANGES, Range
from app.engine.types import ENDLESS
from app.widgets.controls.section import Section
from app.widgets.controls.values import ControlValues
from app.widgets.escapes import read_lines, written_lines
from app.widgets.limit_slider import LimitSlider
from app.widgets.theme import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme

MODES = {"chat": "Chat", "raw": "Raw"}
STEPS = {"temperature": 0.05, "top_p": 0.05, "min_p": 0.01, "repetition_penalty": 0.05}
SAMPLING = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
CHOOSING = ("top_p", "top_k", "min_p")
GREEDY = "Without effect at temperature 0."
NO_LIMIT = 0
LARGEST_LIMIT = int(RANGES["max_tokens"].maximum)
NEW_EACH_RUN = -1
LARGEST_SEED = 2**31 - 1
LINES_SHOWN = 3


class ControlsPanel(QScrollArea):
    """`edited` with all values whenever the user changed one."""

    edited = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("controls")
        self.setAccessibleName("Controls")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._theme = theme
        self._values = ControlValues()
        self._sections = QVBoxLayout()
        self._tips: dict[str, str] = {}
        self._mode = _combo()
        self._max_tokens = _whole(RANGES["max_tokens"], "max_tokens")
        self._max_tokens.setMinimum(NO_LIMIT)
        self._max_tokens.setSpecialValueText("No limit")
        self._slider = _slider()
        self._sampling: Mapping[str, QSpinBox | QDoubleSpinBox] = {name: _spin(name) for name in SAMPLING}
        self._seed = _seed()
        self._stop_strings = _lines("stop_strings", "Stop strings", "One on each line; \\n is a line break")
        self._system = _lines("system_prompt", "System prompt", "How the model should behave")
        self._lay_out()
        self.show_values(self._values)
        self._listen()

    @property
    def values(self) -> ControlValues:
        return self._values

    def show_values(self, values: ControlValues) -> None:
        """Set all of them, telling nobody."""
        self._values = values
        blockers = [QSignalBlocker(widget) for widget in self._inputs()]
        self._mode.setCurrentIndex(self._mode.findData(values.mode))
        limit = values.limits.max_tokens
        self._max_tokens.setValue(NO_LIMIT if limit == ENDLESS else limit)
        self._slider.show_number(LARGEST_LIMIT if limit == ENDLESS else limit)
        for name, spin in self._sampling.items():
            spin.setValue(getattr(values.sampling, name))
        self._seed.setValue(NEW_EACH_RUN if values.seed is None else values.seed)
        if read_lines(self._stop_strings.toPlainText()) != values.limits.stop_strings:
            self._stop_strings.setPlainText(written_lines(values.limits.stop_strings))
        if self._system.toPlainText() != values.system:
            self._system.setPlainText(values.system)
        del blockers
        self._grey()

    def _inputs(self) -> list[QWidget]:
        return [self._mode, self._max_tokens, *self._sampling.values(), self._seed, self._stop_strings, self._system]

    def _listen(self) -> None:
        self._mode.currentIndexChanged.connect(self._gather)
        self._slider.chosen.connect(self._max_tokens.setValue)
        for spin in (self._max_tokens, self._seed, *self._sampling.values()):
            spin.valueChanged.connect(self._gather)
        self._stop_strings.textChanged.connect(self._gather)
        self._system.textChanged.connect(self._gather)
        for widget in self._inputs():
            widget.installEventFilter(self)

    @Slot()
    def _gather(self) -> None:
        old = self._values
        limit, seed = self._max_tokens.value(), self._seed.value()
        chosen: dict[str, Any] = {name: spin.value() for name, spin in self._sampling.items()}
        self._values = replace(
            old,
            mode=self._mode.currentData(),
            system=self._system.toPlainText(),
            sampling=replace(old.sampling, **chosen),
            limits=replace(
                old.limits,
                max_tokens=ENDLESS if limit == NO_LIMIT else limit,
                stop_strings=read_lines(self._stop_strings.toPlainText()),
            ),
            seed=None if seed == NEW_EACH_RUN else seed,
        )
        self._slider.show_number(limit or LARGEST_LIMIT)
        self._grey()
        if self._values != old:
            self.edited.emit(self._values)

    def _grey(self) -> None:
        """At temperature 0 the likeliest token is taken whatever these say."""
        chance = self._values.sampling.temperature > 0
        for widget in (*(self._sampling[name] for name in CHOOSING), self._seed):
            widget.setEnabled(chance)
            tip = self._tips.setdefault(widget.objectName(), widget.toolTip())
            widget.setToolTip(tip if chance else f"{tip} {GREEDY}")

    def add_section(self, name: str, title: str, widget: QWidget, at: int | None = None) -> Section:
        """Put a widget under a heading of its own: as the section number `at`, or below all others.

        Its layout gets the panel's margins; the column may be no wider than 260 pixels.
        """
        section = Section(self._theme, name, title, widget)
        self._sections.insertWidget(self._sections.count() if at is None else at, section)
        return section

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, GAP_PX, 0, MARGIN_PX)
        column.setSpacing(0)
        top = _form()
        top.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, GAP_PX)
        top.addRow(self._label("Mode", self._mode), self._mode)
        column.addLayout(top)
        self._sections.setSpacing(0)
        column.addLayout(self._sections)
        column.addStretch(1)
        self.setWidget(inner)
        self.add_section("system", "System prompt", _boxed(self._system))
        self.add_section("limits", "Length", self._limits())
        self.add_section("sampling", "Sampling", self._chances())
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self.setMinimumWidth(inner.minimumSizeHint().width() + bar)

    def _limits(self) -> QWidget:
        body = QWidget()
        form = _form(body)
        form.addRow(self._label(RANGES["max_tokens"].name, self._max_tokens), self._max_tokens)
        form.addRow(self._slider)
        form.addRow(self._label("Stop strings", self._stop_strings))
        form.addRow(self._stop_strings)
        return body

    def _chances(self) -> QWidget:
        body = QWidget()
        form = _form(body)
        for name, spin in self._sampling.items():
            form.addRow(self._label(RANGES[name].name, spin), spin)
        form.addRow(self._label("Seed", self._seed), self._seed)
        return body

    def _label(self, text: str, buddy: QWidget) -> QLabel:
        label = QLabel(text)
        label.setFont(self._theme.font(Size.NORMAL))
        label.setBuddy(buddy)
        label.setToolTip(buddy.toolTip())
        return label

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A wheel that only meant to scroll the panel must not change a value."""
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _form(parent: QWidget | None = None) -> QFormLayout:
    form = QFormLayout(parent)
    form.setSpacing(GAP_PX)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def _boxed(widget: QWidget) -> QWidget:
    body = QWidget()
    column = QVBoxLayout(body)
    column.addWidget(widget)
    return body


def _combo() -> QComboBox:
    combo = QComboBox()
    combo.setObjectName("mode")
    combo.setAccessibleName("Mode")
    combo.setToolTip("Chat puts the prompt into the model's template; Raw sends the page as it stands")
    for mode, name in MODES.items():
        combo.addItem(name, mode)
    return combo


def _spin(name: str) -> QSpinBox | QDoubleSpinBox:
    limits = RANGES[name]
    if limits.whole:
        return _whole(limits, name)
    spin = QDoubleSpinBox()
    spin.setDecimals(2)
    spin.setRange(limits.minimum if limits.besides is None else limits.besides, limits.maximum)
    spin.setSingleStep(STEPS[name])
    _name(spin, limits, name)
    return spin


def _whole(limits: Range, name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(int(limits.minimum), int(limits.maximum))
    spin.setGroupSeparatorShown(True)
    _name(spin, limits, name)
    return spin


def _slider() -> LimitSlider:
    slider = LimitSlider()
    slider.setObjectName("max_tokens_slider")
    slider.setAccessibleName("Max tokens, roughly")
    slider.setToolTip(RANGES["max_tokens"].explanation)
    return slider


def _seed() -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(NEW_EACH_RUN, LARGEST_SEED)
    spin.setSpecialValueText("New each run")
    _name(spin, RANGES["seed"], "seed")
    return spin


def _name(spin: QAbstractSpinBox, limits: Range, name: str) -> None:
    spin.setObjectName(name)
    spin.setAccessibleName(limits.name)
    spin.setToolTip(limits.explanation)
    spin.lineEdit().setTextMargins(GRID_PX, 0, GRID_PX, 0)
    spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _lines(name: str, shown: str, hint: str) -> QPlainTextEdit:
    editor = QPlainTextEdit()
    editor.setObjectName(name)
    editor.setAccessibleName(shown)
    editor.setPlaceholderText(hint)
    editor.setTabChangesFocus(True)
    editor.setFixedHeight(editor.fontMetrics().lineSpacing() * LINES_SHOWN + 2 * GAP_PX)
    return editor
