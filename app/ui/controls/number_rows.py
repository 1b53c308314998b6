"""Rows of settings with the catalogue's texts, and the seed; a number's tooltip has its range and neutral value."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QSlider, QWidget

from app.engine.catalogue import SETTINGS, PanelSection, names_in
from app.engine.ranges import RANGES, NumberRange
from app.engine.types import Sampling
from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, Theme, scaled
from app.ui.widgets import FieldRow, in_column, in_row, named, tool_button
from app.ui.widgets.number_field import LARGEST, NumberField, Verdict, WholeField, describe_range

NEW_EACH_RUN = -1
FIELD_PX = 112


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
        most = None if vocabulary is None else vocabulary - 1
        why = tr("the vocabulary has %n tokens.", "the vocabulary has %n token.", vocabulary) if vocabulary else ""
        for name, field in self._fields.items():
            if RANGES[name].is_token_count and isinstance(field, WholeField):
                field.limit_to(most, why)


def field_for(name: str, limits: NumberRange) -> WholeField | NumberField:
    return WholeField(name, limits) if limits.whole else NumberField(name, limits, SETTINGS[name].step)


def row_for(theme: Theme, name: str, editor: QWidget, *more: str, below: bool = False) -> FieldRow:
    """Make the row of a setting; its meaning, advice and `more` are the tooltip."""
    setting = SETTINGS[name]
    return FieldRow(theme, setting.words, "\n".join((setting.meaning, *more)), editor, below)


def allowed(name: str, limits: NumberRange | None = None) -> str:
    """Describe the range and the neutral value; `limits` if its field has other limits."""
    limits = limits or RANGES[name]
    if limits.besides is None:
        words = tr("From {least} to {most}. Neutral: {neutral}.")
    else:
        words = tr("{besides}, or from {least} to {most}. Neutral: {neutral}.")
    return describe_range(words, limits, SETTINGS[name].unit)


class Seed(QWidget):
    """The row of the seed. `edited` carries the seed; None: a new one for each run."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._last: int | None = None
        limits = replace(RANGES["seed"], maximum=LARGEST, besides=NEW_EACH_RUN)
        self._field = SeedField("seed", limits, tr("New each run"))
        self._field.setGroupSeparatorShown(False)
        self._row = row_for(theme, "seed", self._field, tr("Each run records its seed."))
        scaled(theme, self._field, QWidget.setFixedWidth, FIELD_PX)
        self._field.refused.connect(self._row.refuse)
        self._field.chosen.connect(lambda value: self.edited.emit(None if value == NEW_EACH_RUN else value))
        words = tr("Use the last run's seed")
        self._use_last = tool_button(
            "use_last_seed", "", words, words, kind="small", press=lambda: self.edited.emit(self._last)
        )
        words = tr("A new seed for each run")
        self._renew = tool_button(
            "new_seeds", tr("New each run"), words, words, kind="small", press=lambda: self.edited.emit(None)
        )
        buttons = in_row(..., self._renew, self._use_last, gap=GRID_PX)
        in_column(self._row, buttons, on=self, gap=GRID_PX).setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setMinimumWidth(FIELD_PX + 2 * GAP_PX)
        self.show_value(None, "")
        self.show_last(None)

    def show_value(self, seed: int | None, why_idle: str) -> None:
        """Set the value without a signal."""
        self._field.show_seed(seed)
        self._row.grey(why_idle)
        self._renew.setVisible(seed is not None)
        self._update_use_last()

    def show_last(self, seed: int | None) -> None:
        """Offer the last run's seed; None: there is none."""
        self._last = seed
        self._update_use_last()

    def _update_use_last(self) -> None:
        wanted = self._last is not None and self._last != self._field.value() and self._field.isEnabled()
        self._use_last.setVisible(wanted)
        self._use_last.setText(tr("Use last: {seed}").format(seed=self._last))


class SeedField(WholeField):
    """A number field for seeds. It shows larger seeds from presets or files, too, but only numbers up to Qt's limit can
    be typed.
    """

    _beyond = ""

    def show_seed(self, seed: int | None) -> None:
        """Set the seed without a signal; None: a new one for each run."""
        beyond = str(seed) if seed is not None and seed > LARGEST else ""
        if beyond != self._beyond:
            self._beyond = beyond
            with QSignalBlocker(self):
                self.setValue(NEW_EACH_RUN)  # so that Qt formats the text again
        self.show_value(NEW_EACH_RUN if seed is None else min(seed, LARGEST))

    def textFromValue(self, value: int) -> str:
        return self._beyond if self._beyond and value == LARGEST else super().textFromValue(value)

    def valueFromText(self, text: str) -> int:
        return LARGEST if self._beyond and text == self._beyond else super().valueFromText(text)

    def validate(self, text: str, position: int) -> Verdict:
        if self._beyond and text == self._beyond:
            return QValidator.State.Acceptable, text, position
        return super().validate(text, position)
