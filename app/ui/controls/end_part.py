"""The section End: stop strings, stop tokens, reasoning budget, and the stream interval."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.ranges import RANGES
from app.engine.types import AT_THE_END, ENDLESS, Limits
from app.i18n import tr
from app.ui.controls.number_rows import row_for
from app.ui.controls.stop_strings import StopStrings
from app.ui.controls.token_list import EndTokens
from app.ui.look import GRID_PX, Theme, scaled
from app.ui.widgets import ChoiceBox, WholeField, in_column, in_row, named

EACH, EVERY, END = "each", "every", "end"
CHOICES = {EACH: tr("Every token"), EVERY: tr("Interval"), END: tr("Only at the end")}
FIRST_MANY = 8
FIELD_PX = 72


class EndPart(QWidget):
    """`edited` carries a setting's name and its new value."""

    edited = Signal(str, object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._strings = StopStrings(theme)
        self.tokens = EndTokens(theme)
        self._interval = Interval(theme)
        self._interval_row = row_for(theme, "interval", self._interval, below=True)
        self._budget = WholeField("think_budget", RANGES["think_budget"], tr("No limit"))
        self._budget.setSuffix(tr(" tokens"))
        tip = tr("0: no reasoning. One step below 0: no limit.")
        self._budget_row = row_for(theme, "think_budget", self._budget, tip)
        in_column(self._strings, self.tokens, self._budget_row, self._interval_row, on=self)
        self._budget.refused.connect(self._budget_row.refuse)
        self._budget.chosen.connect(partial(self.edited.emit, "think_budget"))
        self._strings.edited.connect(partial(self.edited.emit, "stop_strings"))
        self.tokens.edited.connect(partial(self.edited.emit, "stop_ids"))
        self._interval.edited.connect(partial(self.edited.emit, "interval"))
        self._interval.refused.connect(self._interval_row.refuse)

    def refuse(self, refusals: Mapping[str, str]) -> None:
        """Show the reasons for settings that this model refuses."""
        why = refusals.get("ids", "")
        self.tokens.setEnabled(not why)
        self.tokens.setToolTip(why)
        why = refusals.get("think_budget", "")
        self._budget_row.grey(why)
        self._budget_row.refuse(why if self._budget.value() != ENDLESS else "", "warning")

    def show_values(self, limits: Limits, interval: int) -> None:
        """Set all values without a signal."""
        self._strings.show_strings(limits.stop_strings)
        self.tokens.show_tokens(limits.stop_ids)
        self._budget.show_value(limits.think_budget)
        self._interval.show_value(interval)


class Interval(QWidget):
    """The stream interval: every token, every N tokens, or only at the end.

    `edited` carries the number; `refused` the reason why the typed text is invalid.
    """

    edited = Signal(object)
    refused = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("interval")
        setting = SETTINGS["interval"]
        self._choice = ChoiceBox("stream_interval", setting.words, setting.meaning, CHOICES)
        self._many = WholeField("stream_every", replace(RANGES["interval"], minimum=2, neutral=2))
        named(self._many, "", tr("Tokens at a time"), setting.meaning)
        scaled(theme, self._many, QWidget.setFixedWidth, FIELD_PX)
        self._many.refused.connect(self.refused)
        self._many.chosen.connect(self.edited.emit)
        self._choice.currentIndexChanged.connect(self._choose)
        in_row((self._choice, 1), self._many, on=self, gap=GRID_PX)

    def show_value(self, interval: int) -> None:
        """Set the value without a signal."""
        kind = {AT_THE_END: END, 1: EACH}.get(interval, EVERY)
        self._choice.show_value(kind)
        self._many.setVisible(kind == EVERY)
        if kind == EVERY:
            self._many.show_value(interval)

    def _choose(self) -> None:
        numbers = {EACH: 1, EVERY: max(FIRST_MANY, self._many.value()), END: AT_THE_END}
        self.edited.emit(numbers[self._choice.currentData()])
