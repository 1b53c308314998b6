"""The seed: the same for all runs, or a new one for each run."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QWidget

from app.engine.ranges import RANGES
from app.i18n import tr
from app.ui.controls.number_rows import row_for
from app.ui.look import GAP_PX, GRID_PX, Theme, scaled
from app.ui.widgets import in_column, in_row, tool_button
from app.ui.widgets.number_field import LARGEST, Verdict, WholeField

NEW_EACH_RUN = -1
FIELD_PX = 112


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
        self._use_last = tool_button("use_last_seed", "", words, words, kind="small", press=self._take_last)
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
        self._offer()

    def show_last(self, seed: int | None) -> None:
        """Offer the last run's seed; None: there is none."""
        self._last = seed
        self._offer()

    def _offer(self) -> None:
        wanted = self._last is not None and self._last != self._field.value() and self._field.isEnabled()
        self._use_last.setVisible(wanted)
        self._use_last.setText(tr("Use last: {seed}").format(seed=self._last))

    def _take_last(self) -> None:
        if self._last is not None:
            self.edited.emit(self._last)


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
