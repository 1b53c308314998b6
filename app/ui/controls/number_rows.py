"""Rows of settings as the catalogue words them; a number has its range and its neutral value in the tooltip."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES, Range
from app.engine.types import Sampling
from app.i18n import tr
from app.ui.look import Theme
from app.ui.widgets import FieldRow, in_column, named
from app.ui.widgets.number_field import NumberField, WholeField, told

MAIN = ("temperature", "top_p")
CHOICE = ("top_k", "min_p", "min_tokens_to_keep", "xtc_probability", "xtc_threshold")
PENALTIES = (
    "repetition_penalty",
    "repetition_window",
    "presence_penalty",
    "presence_window",
    "frequency_penalty",
    "frequency_window",
)
ADAPTER = ("adapter_strength",)
STEPS = {"min_p": 0.01, "xtc_threshold": 0.01}
STEP = 0.05
SLIDERS = {"temperature": 2.0, "top_p": 1.0, "adapter_strength": 2.0}
"""How far the sliders of these reach: more has to be typed."""


class Numbers(QWidget):
    """`edited` with a name and its new value."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__()
        self._fields: dict[str, WholeField | NumberField] = {}
        self._rows: dict[str, FieldRow] = {}
        for name in names:
            field = field_for(name, RANGES[name])
            row = row_for(theme, name, field, allowed(name))
            field.refused.connect(row.refuse)
            field.chosen.connect(partial(self.edited.emit, name))
            self._fields[name], self._rows[name] = field, row
        self._sliders = {name: self._slider(name) for name in names if name in SLIDERS}
        pairs = ((row, self._sliders.get(name)) for name, row in self._rows.items())
        in_column(*(row if slider is None else in_column(row, slider, gap=0) for row, slider in pairs), on=self)

    def _slider(self, name: str) -> QSlider:
        """The same number, roughly."""
        slider, field, setting = QSlider(Qt.Orientation.Horizontal), self._fields[name], SETTINGS[name]
        named(slider, f"{name}_slider", tr("{setting}, roughly").format(setting=setting.words), setting.meaning)
        slider.setRange(0, round(SLIDERS[name] / STEP))
        slider.valueChanged.connect(lambda step: field.setValue(step * STEP))
        return slider

    def show_values(self, sampling: Sampling, idle: Mapping[str, str]) -> None:
        """Set all of them, telling nobody, and grey what has no effect."""
        for name, field in self._fields.items():
            field.show_value(getattr(sampling, name))
            self._rows[name].grey(idle.get(name, ""))
        for name, slider in self._sliders.items():
            slider.setEnabled(name not in idle)
            with QSignalBlocker(slider):
                slider.setValue(round(getattr(sampling, name) / STEP))

    def limit_to(self, vocabulary: int | None) -> None:
        """These count tokens, so they must stay below the model's vocabulary."""
        for name in ("top_k", "min_tokens_to_keep"):
            field = self._fields.get(name)
            if isinstance(field, WholeField):
                most = None if vocabulary is None else vocabulary - 1
                why = (
                    tr("the vocabulary has %n tokens.", "the vocabulary has %n token.", vocabulary)
                    if vocabulary
                    else ""
                )
                field.limit_to(most, why)


def field_for(name: str, limits: Range) -> WholeField | NumberField:
    """The field that fits a range."""
    return WholeField(name, limits) if limits.whole else NumberField(name, limits, STEPS.get(name, STEP))


def row_for(theme: Theme, name: str, editor: QWidget, *more: str, below: bool = False) -> FieldRow:
    """A setting under its name, with its meaning and what more there is to say as the tooltip."""
    setting = SETTINGS[name]
    return FieldRow(theme, setting.words, "\n".join((setting.meaning, *more)), editor, below)


def allowed(name: str, limits: Range | None = None) -> str:
    """What it may be, and what changes nothing; `limits` where its field has others."""
    limits = limits or RANGES[name]
    if limits.besides is None:
        words = tr("From {least} to {most}. Neutral: {neutral}.")
    else:
        words = tr("{besides} or from {least} to {most}. Neutral: {neutral}.")
    return told(words, limits, SETTINGS[name].unit)
