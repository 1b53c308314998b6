"""What ends a run besides its length: stop strings and more end tokens; and how often text comes until then."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.types import Limits
from app.ui.controls.interval import Interval
from app.ui.controls.number_rows import row_for
from app.ui.controls.stop_strings import StopStrings
from app.ui.controls.token_list import EndTokens
from app.ui.look.theme import Theme
from app.ui.widgets.rows import in_column


class EndPart(QWidget):
    """`edited` with the name of a value and the value; `put_back` with the name."""

    edited = Signal(str, object)
    put_back = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._strings = StopStrings(theme)
        self.tokens = EndTokens(theme)
        self._interval = Interval(theme)
        self._interval_row = row_for(theme, "interval", self._interval, below=True)
        in_column(self._strings, self.tokens, self._interval_row, on=self)
        self._strings.edited.connect(partial(self.edited.emit, "stop_strings"))
        self.tokens.edited.connect(partial(self.edited.emit, "stop_ids"))
        self._interval.edited.connect(partial(self.edited.emit, "interval"))
        self._strings.put_back.connect(self.put_back)
        self.tokens.put_back.connect(self.put_back)
        self._interval.refused.connect(self._interval_row.refuse)

    def refuse_tokens(self, why: str) -> None:
        """No end tokens can be named, for this reason; empty: they can."""
        self.tokens.setEnabled(not why)
        self.tokens.setToolTip(why)

    def show_values(self, limits: Limits, interval: int) -> None:
        """Set all of them, telling nobody."""
        self._strings.show_strings(limits.stop_strings)
        self.tokens.show_tokens(limits.stop_ids)
        self._interval.show_value(interval)

    def mark(self, different: frozenset[str], preset: str, limits: Limits) -> int:
        """Mark what is not as the preset has it, and tell how many are."""
        self._strings.mark(limits.stop_strings if "stop_strings" in different else None, preset)
        self.tokens.mark(limits.stop_ids if "stop_ids" in different else None, preset)
        return len(different & {"stop_strings", "stop_ids"})
