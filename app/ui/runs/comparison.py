"""Several runs compared: overlaid speed curves, and a word diff of two texts."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.records.comparison import DiffSegment
from app.records.types import RunRow
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.runs.columns import moment
from app.ui.widgets import ChoiceBox, held, in_column, in_row, plain_label, split, tool_button
from app.ui.widgets.diff_view import COMPARING, DiffView
from app.ui.widgets.plots.compared import LETTERS, Compared
from app.ui.widgets.plots.overlay import SpeedOverlay

HALVES_PX = (420, 520)


class ComparisonPage(QWidget):
    """`pair_picked` carries the two runs to diff."""

    pair_picked = Signal(int, int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: tuple[RunRow, ...] = ()
        self._overlay = SpeedOverlay(theme)
        self._diff = DiffView(theme, "runs_diff")
        self._known = plain_label("diff_known", muted=True, wraps=True, selectable=True, font=theme.font(Size.SMALL))
        self._known.hide()
        self._first = self._box("diff_first", tr("The first text"))
        self._second = self._box("diff_second", tr("The second text"))
        tip = tr("Copy as a word diff ([-removed-] {+added+})")
        spoken = tr("Copy the difference")
        self._copy = tool_button("copy_diff", tr("Copy"), tip, spoken, kind="small", press=self._diff.copy_all)
        self._copy.setFont(theme.font(Size.SMALL))
        self._lay_out()

    def show_rows(self, rows: Sequence[RunRow]) -> None:
        """Set the runs to compare; curves and texts follow."""
        before, self._rows = self._rows, tuple(rows)
        if self._rows == before:
            return
        if [row.id for row in rows] != [row.id for row in before]:
            entries = {row.id: f"{letter}  {moment(row.started)}" for letter, row in zip(LETTERS, rows, strict=False)}
            for box, row in zip((self._first, self._second), rows, strict=False):
                box.show_entries(entries)
                box.show_value(row.id)
        self._ask()

    def show_curves(self, runs: Sequence[Compared]) -> None:
        if [run.run for run in runs] == [row.id for row in self._rows]:
            several = len({row.model for row in self._rows}) > 1
            names = [f"{moment(row.started)} {row.model}" if several else moment(row.started) for row in self._rows]
            # With the table's mean, since a server's pieces may not be tokens.
            means = [replace(run, mean=row.speed_mean) for run, row in zip(runs, self._rows, strict=True)]
            self._overlay.show_runs(means, names)

    def show_diff(self, pair: tuple[int, int], stretches: Sequence[DiffSegment], known: str = "") -> None:
        """Show the diff; `known` says what changes the tokens of their model."""
        if pair == self._pair():
            self._diff.show_stretches(stretches)
            self._known.setText(known)
            self._known.setVisible(bool(known))

    def leave(self) -> None:
        self._overlay.leave()

    def _pair(self) -> tuple[int, int]:
        return self._first.currentData(), self._second.currentData()

    def _box(self, name: str, tip: str) -> ChoiceBox:
        box = ChoiceBox(name, tip, tip, narrow=True)
        box.setFont(self._theme.font(Size.SMALL))
        box.currentIndexChanged.connect(self._ask)
        return box

    def _lay_out(self) -> None:
        pair = in_row((self._first, 1), plain_label("", "→"), (self._second, 1), self._copy)
        right = held(in_column(pair, (self._diff, 1), self._known, gap=GRID_PX, margins=(GAP_PX, 0, 0, 0)))
        in_column(split(Qt.Orientation.Horizontal, self._overlay, right, HALVES_PX, "runs_halves"), on=self)

    def _ask(self) -> None:
        self._diff.wait(COMPARING)
        self.pair_picked.emit(*self._pair())
