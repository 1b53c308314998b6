"""Number fields that explain at once why typed text is invalid."""

from typing import TypeVar

from PySide6.QtCore import QLocale, QSignalBlocker, Signal
from PySide6.QtGui import QFocusEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from app.engine.ranges import NumberRange, number
from app.i18n import tr
from app.ui.look import GRID_PX
from app.ui.widgets.naming import named
from app.ui.widgets.rows import WheelGuard

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
DECIMALS = 3
DECIMALS_SHOWN = 2
LARGEST = 2**31 - 1
LARGEST_ANSWER = 1e9

Verdict = tuple[QValidator.State, str, int]
Spin = TypeVar("Spin", bound=QAbstractSpinBox)


class WholeField(QSpinBox):
    """A field for whole numbers. `chosen` carries the new value; `refused` a reason, or an empty text once the input is
    valid.

    `special` is the text shown in place of the minimum.
    """

    chosen = Signal(int)
    refused = Signal(str)

    def __init__(self, name: str, limits: NumberRange, special: str = "") -> None:
        super().__init__()
        self._limits = limits
        self._most, self._why = min(int(limits.maximum), LARGEST), ""
        self.setRange(int(limits.minimum if limits.besides is None else limits.besides), self._most)
        self.setGroupSeparatorShown(True)
        self.setSpecialValueText(special)
        _dress(self, name)
        self.valueChanged.connect(self.chosen)
        self.lineEdit().textEdited.connect(lambda: self.refused.emit(""))

    def show_value(self, value: int) -> None:
        """Set the value without a signal; text that is being typed stays."""
        if self.value() != value:
            with QSignalBlocker(self):
                self.setValue(value)
            self.refused.emit("")

    def limit_to(self, most: int | None, why: str = "") -> None:
        """Set a lower maximum with its reason; None: the usual maximum."""
        self._most = min(int(self._limits.maximum), LARGEST) if most is None else most
        self._why = why

    def _sentence(self) -> str:
        if self._why:
            words = tr("From {least} to {most}: {why}")
            return words.format(least=f"{int(self._limits.minimum):,}", most=f"{self._most:,}", why=self._why)
        if self._limits.besides is None:
            return describe_range(tr("A whole number, from {least} to {most}."), self._limits)
        return describe_range(tr("A whole number: {besides}, or from {least} to {most}."), self._limits)

    def validate(self, text: str, position: int) -> Verdict:
        state, text, position = _verdict(super().validate(text, position))
        if state == QValidator.State.Acceptable and self.valueFromText(text) > self._most:
            state = QValidator.State.Invalid
        if state == QValidator.State.Invalid:
            self.refused.emit(self._sentence())
        return state, text, position

    def fixup(self, text: str) -> str:
        self.refused.emit(self._sentence())
        return text

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.refused.emit("")


class NumberField(QDoubleSpinBox):
    """A field for decimal numbers; a comma is read as a decimal point."""

    chosen = Signal(float)
    refused = Signal(str)

    def __init__(self, name: str, limits: NumberRange, step: float) -> None:
        super().__init__()
        self._limits = limits
        self.setDecimals(DECIMALS)
        self.setRange(limits.minimum if limits.besides is None else limits.besides, limits.maximum)
        self.setSingleStep(step)
        _dress(self, name)
        self.valueChanged.connect(self.chosen)
        self.lineEdit().textEdited.connect(lambda: self.refused.emit(""))

    def show_value(self, value: float) -> None:
        """Set the value without a signal; text that is being typed stays."""
        if self.value() != round(value, DECIMALS):
            with QSignalBlocker(self):
                self.setValue(value)
            self.refused.emit("")

    def _sentence(self) -> str:
        if self._limits.besides is None:
            return describe_range(tr("A number, from {least} to {most}."), self._limits)
        return describe_range(tr("A number: {besides}, or from {least} to {most}."), self._limits)

    def textFromValue(self, value: float) -> str:
        return number_text(value)

    def validate(self, text: str, position: int) -> Verdict:
        state, text, position = _verdict(super().validate(text.replace(",", "."), position))
        if state == QValidator.State.Acceptable and not self._limits.allows(self.valueFromText(text)):
            state = QValidator.State.Intermediate
        if state == QValidator.State.Invalid:
            self.refused.emit(self._sentence())
        return state, text, position

    def fixup(self, text: str) -> str:
        self.refused.emit(self._sentence())
        return text

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.refused.emit("")


class AnswerField(QDoubleSpinBox):
    """A field for a positive number of any size, empty at first; without zeros at its end."""

    def __init__(self, name: str, spoken: str) -> None:
        super().__init__(decimals=2, maximum=LARGEST_ANSWER)
        named(self, name, spoken)
        with_text_margins(self)
        self.setSpecialValueText(" ")

    def textFromValue(self, value: float) -> str:
        return f"{value:.2f}".rstrip("0").rstrip(".")


def with_text_margins(spin: Spin) -> Spin:
    """Give the field the same text margin as other fields."""
    spin.lineEdit().setTextMargins(GRID_PX, 0, GRID_PX, 0)
    return spin


def number_text(value: float) -> str:
    """Format with two decimal places, and a third if it isn't zero: 0.70, 0.125."""
    text = f"{value:.{DECIMALS}f}"
    return text[: DECIMALS_SHOWN - DECIMALS] if text.endswith("0") else text


def describe_range(words: str, limits: NumberRange, unit: str = "") -> str:
    """Return a description with the range and the neutral value."""
    besides = "" if limits.besides is None else f"{limits.besides:g}"
    least, most, neutral = map(number, (limits.minimum, limits.maximum, limits.neutral))
    return words.format(besides=besides, least=least, most=f"{most} {unit}".rstrip(), neutral=neutral)


def _verdict(answer: object) -> Verdict:
    """Return the state: PySide returns a tuple with the text and the position; its type stub lacks that."""
    state, text, position = answer  # type: ignore[misc]
    return state, text, position  # type: ignore[has-type]


def _dress(spin: QAbstractSpinBox, name: str) -> None:
    with_text_margins(spin).setObjectName(name)
    WheelGuard(spin).watch(spin)
    spin.setLocale(ENGLISH)
