"""Rows of settings with the catalogue's texts; the tooltip of a number has its range and neutral value."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app.engine.catalogue import SETTINGS, PanelSection, names_in
from app.engine.ranges import RANGES, Range
from app.engine.types import Sampling
from app.i18n import tr
from app.ui.look import Theme
from app.ui.widgets import FieldRow, in_column, named
from app.ui.widgets.number_field import NumberField, WholeField, describe_range


class NumberRows(QWidget):
    """The rows of a section. `edited` carries a setting's name and its new value."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme, section: PanelSection) -> None:
        super().__init__()
        self._fields: dict[str, WholeField | NumberField] = {}
        self._rows: dict[str, FieldRow] = {}
        names = names_in(section)
        for name in names:
            field = field_for(name, RANGES[name])
            row = row_for(theme, name, field, allowed(name))
            field.refused.connect(row.refuse)
            field.chosen.connect(partial(self.edited.emit, name))
            self._fields[name], self._rows[name] = field, row
        self._sliders = {name: self._slider(name) for name in names if SETTINGS[name].slider_to}
        pairs = ((row, self._sliders.get(name)) for name, row in self._rows.items())
        in_column(*(row if slider is None else in_column(row, slider, gap=0) for row, slider in pairs), on=self)

    def _slider(self, name: str) -> QSlider:
        """Make a slider over the usual part of the range."""
        slider, field, setting = QSlider(Qt.Orientation.Horizontal), self._fields[name], SETTINGS[name]
        named(slider, f"{name}_slider", tr("{setting}, approximate").format(setting=setting.words), setting.meaning)
        slider.setRange(0, round(setting.slider_to / setting.step))
        slider.valueChanged.connect(lambda step: field.setValue(step * setting.step))
        return slider

    def show_values(self, sampling: Sampling, idle: Mapping[str, str]) -> None:
        """Set all fields without a signal, and gray out what has no effect."""
        for name, field in self._fields.items():
            field.show_value(getattr(sampling, name))
            self._rows[name].grey(idle.get(name, ""))
        for name, slider in self._sliders.items():
            slider.setEnabled(name not in idle)
            with QSignalBlocker(slider):
                slider.setValue(round(getattr(sampling, name) / SETTINGS[name].step))

    def limit_to(self, vocabulary: int | None) -> None:
        """Limit settings that count tokens to the vocabulary's size."""
        for name, field in self._fields.items():
            if RANGES[name].is_token_count and isinstance(field, WholeField):
                most = None if vocabulary is None else vocabulary - 1
                why = (
                    tr("the vocabulary has %n tokens.", "the vocabulary has %n token.", vocabulary)
                    if vocabulary
                    else ""
                )
                field.limit_to(most, why)


def field_for(name: str, limits: Range) -> WholeField | NumberField:
    return WholeField(name, limits) if limits.whole else NumberField(name, limits, SETTINGS[name].step)


def row_for(theme: Theme, name: str, editor: QWidget, *more: str, below: bool = False) -> FieldRow:
    """Make the row of a setting; its meaning, advice and `more` are the tooltip."""
    setting = SETTINGS[name]
    return FieldRow(theme, setting.words, "\n".join((setting.meaning, *more)), editor, below)


def allowed(name: str, limits: Range | None = None) -> str:
    """Describe the range and the neutral value; `limits` if its field has other limits."""
    limits = limits or RANGES[name]
    if limits.besides is None:
        words = tr("From {least} to {most}. Neutral: {neutral}.")
    else:
        words = tr("{besides}, or from {least} to {most}. Neutral: {neutral}.")
    return describe_range(words, limits, SETTINGS[name].unit)
