"""The pages below the table of runs: the receipt of one run, and the comparison of several."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTabWidget, QWidget

from app.i18n import tr
from app.records.comparison import DiffSegment
from app.records.run_comparison import ComparedValue
from app.records.types import RunRow
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme
from app.ui.runs.columns import format_time
from app.ui.widgets import (
    Cell,
    ChoiceBox,
    ScrollColumn,
    SmallPrint,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
    split,
    tool_button,
)
from app.ui.widgets.diff_view import COMPARING, DiffView
from app.ui.widgets.plots.overlay import SpeedOverlay
from app.ui.widgets.plots.speed_curve import LETTERS, PlottedRun
from app.ui.widgets.word_table import WordTable

COPY, COPIED = tr("Copy"), tr("Copied")
HINT = tr("Run the same request again, and compare it token by token")
TOKENS_HINT = tr("Export the tokens of this run, each with its time, probability and alternatives, as JSON or CSV")
DRAFT_HINT = tr("Predict whether prompt lookup or the draft model would have made this run faster")
Line = tuple[str, str]
HALVES_PX = (420, 520)


class ReceiptPage(QWidget):
    """The settings and numbers of a run, the outcome of a rerun, and buttons."""

    def __init__(
        self,
        theme: Theme,
        replay: Callable[[], object],
        stop: Callable[[], object],
        export: Callable[[], object],
        export_tokens: Callable[[], object],
        check_drafts: Callable[[], object],
    ) -> None:
        super().__init__()
        self._theme, self._start, self._stop = theme, replay, stop
        self._lines: Sequence[Line] = ()
        self._is_running = False
        self._body = ScrollColumn("run_receipt", tr("Receipt"), tr("All settings of the chosen run"))
        self._body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # its content can't have the focus
        self._body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)  # hashes aren't wrapped
        self._outcome = SmallPrint(theme, "replay_outcome", "text")
        self._outcome.setFont(theme.font(Size.NORMAL, bold=True))
        self._outcome.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._replay = push_button("replay_run", tr("Rerun"), HINT, press=self._replay_or_stop)
        self._copy = push_button("copy_receipt", COPY, tr("Copy the receipt"), press=self._copy_lines)
        tip = tr("Save this run with all its tokens as JSON or CSV")
        self._export = push_button("export_run", tr("Export…"), tip, press=export)
        self._tokens = push_button("export_tokens", tr("Export tokens…"), TOKENS_HINT, press=export_tokens)
        self._drafts = push_button("check_drafts", tr("Predict draft gain…"), DRAFT_HINT, press=check_drafts)
        in_row(
            (in_column(self._outcome, (self._body, 1), gap=GRID_PX), 1),
            in_column(self._replay, self._drafts, self._copy, self._export, self._tokens, ...),
            on=self,
            gap=MARGIN_PX,
        )

    def show_lines(self, lines: Sequence[Line]) -> None:
        self._copy.setText(COPY)
        if lines != self._lines:
            self._lines = lines
            self._body.setWidget(self._form(lines))

    def show_outcome(self, words: str, kind: str = "text") -> None:
        """Show the outcome of a rerun; empty: none."""
        self._outcome.say(words, kind)

    def show_running(self, is_running: bool) -> None:
        """Turn the button into Stop during a rerun."""
        self._is_running = is_running
        self._replay.setText(tr("Stop") if is_running else tr("Rerun"))
        self._replay.setAccessibleName(tr("Stop the rerun") if is_running else tr("Rerun"))
        self._replay.setToolTip(tr("Stop the rerun") if is_running else HINT)

    def _form(self, lines: Sequence[Line]) -> QWidget:
        pairs = [self._pair(heading, words) for heading, words in lines]
        margins = (0, GRID_PX, GAP_PX, GRID_PX)
        return layout_widget(in_grid(*pairs, gap=(MARGIN_PX, GRID_PX), margins=margins, wide={1: 1}, tall=len(lines)))

    def _pair(self, heading: str, words: str) -> list[Cell]:
        font = self._theme.font(Size.NORMAL)
        name = plain_label("", heading, font=font, muted=True)
        value = plain_label("", words, spoken=f"{heading}: {words}", font=font, wraps=True, selectable=True)
        return [(name, Qt.AlignmentFlag.AlignTop), value]

    def _replay_or_stop(self) -> None:
        (self._stop if self._is_running else self._start)()

    def _copy_lines(self) -> None:
        """Copy the receipt with the outcome of the rerun."""
        lines = [*self._lines, *([(tr("Rerun"), self._outcome.text())] if self._outcome.text() else [])]
        QGuiApplication.clipboard().setText("".join(f"{heading}: {words}\n" for heading, words in lines))
        self._copy.setText(COPIED)


class ComparisonPage(QWidget):
    """Overlaid speed curves, and a word diff of two texts. `compare` gets the two runs to diff."""

    def __init__(self, theme: Theme, compare: Callable[[int, int], object]) -> None:
        super().__init__()
        self._theme, self._compare = theme, compare
        self._rows: tuple[RunRow, ...] = ()
        self._overlay = SpeedOverlay(theme)
        self._diff = DiffView(theme, "runs_diff")
        self._known = plain_label("diff_known", muted=True, wraps=True, selectable=True, font=theme.font(Size.SMALL))
        self._known.hide()
        self._first = self._box("diff_first", tr("The first text"))
        self._second = self._box("diff_second", tr("The second text"))
        tip = tr("Copy as a word diff ([-removed-] {+added+})")
        self._copy = tool_button(
            "copy_diff", COPY, tip, tr("Copy the difference"), kind="small", press=self._diff.copy_all
        )
        self._copy.setFont(theme.font(Size.SMALL))
        pair = in_row((self._first, 1), plain_label("", "→"), (self._second, 1), self._copy)
        self._table = WordTable(theme, "runs_differences", tr("Differences"), folds=True)
        tabs = named(QTabWidget(), "runs_compared", tr("Comparison"))
        tabs.setDocumentMode(True)
        tabs.addTab(self._table, tr("Differences"))
        tabs.addTab(self._diff, tr("Text"))
        right = layout_widget(in_column(pair, (tabs, 1), self._known, gap=GRID_PX, margins=(GAP_PX, 0, 0, 0)))
        in_column(split(Qt.Orientation.Horizontal, self._overlay, right, HALVES_PX, "runs_halves"), on=self)

    def show_rows(self, rows: Sequence[RunRow]) -> None:
        """Set the runs to compare; curves and texts follow."""
        before, self._rows = self._rows, tuple(rows)
        if self._rows == before:
            return
        if [row.id for row in rows] != [row.id for row in before]:
            entries = {
                row.id: f"{letter}  {format_time(row.started)}" for letter, row in zip(LETTERS, rows, strict=False)
            }
            for box, row in zip((self._first, self._second), rows, strict=False):
                box.show_entries(entries)
                box.show_value(row.id)
        self._ask()

    def show_curves(self, runs: Sequence[PlottedRun]) -> None:
        if [run.run for run in runs] == [row.id for row in self._rows]:
            several = len({row.model for row in self._rows}) > 1
            names = [
                f"{format_time(row.started)} {row.model}" if several else format_time(row.started) for row in self._rows
            ]
            # With the table's mean, since a server's pieces may not be tokens.
            means = [replace(run, mean=row.speed_mean) for run, row in zip(runs, self._rows, strict=True)]
            self._overlay.show_runs(means, names)

    def show_diff(
        self,
        pair: tuple[int, int],
        stretches: Sequence[DiffSegment],
        known: str = "",
        values: Sequence[ComparedValue] = (),
    ) -> None:
        """Show the differences and the diff; `known` says what changes the tokens of their model."""
        if pair == self._pair():
            letters = (box.currentText().partition(" ")[0] for box in (self._first, self._second))
            head = ("", *letters, tr("Difference"))
            rows = [(each.name, each.first, each.second, each.difference) for each in values]
            self._table.show_rows(head, rows, ())
            self._diff.show_stretches(stretches)
            self._known.setText(known)
            self._known.setVisible(bool(known))

    def _pair(self) -> tuple[int, int]:
        return self._first.currentData(), self._second.currentData()

    def _box(self, name: str, tip: str) -> ChoiceBox:
        box = ChoiceBox(name, tip, tip, narrow=True)
        box.setFont(self._theme.font(Size.SMALL))
        box.currentIndexChanged.connect(self._ask)
        return box

    def _ask(self) -> None:
        self._diff.wait(COMPARING)
        self._compare(*self._pair())
