"""The pages of a comparison: differences, aligned tokens, word diff, curves."""

from collections.abc import Callable, Sequence
from math import log

from PySide6.QtWidgets import QWidget

from app.comparison.columns import ComparedRun, speed_points, surprisal_points
from app.comparison.comparison import Comparison
from app.i18n import tr
from app.records.comparison import DiffSegment
from app.ui.comparison.aligned_tokens import AlignedTokens
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.tokens.colors import DEFINITIONS, NAMES, Coloring, Scale
from app.ui.tokens.scale import TokenScale
from app.ui.widgets import (
    ChoiceBox,
    OneLine,
    SegmentedChoice,
    SmallPrint,
    in_column,
    in_row,
    named,
    plain_label,
    push_button,
    tool_button,
)
from app.ui.widgets.diff_view import COMPARING, DiffView
from app.ui.widgets.plots.overlay import SpeedOverlay
from app.ui.widgets.plots.speed_curve import SPEED, SURPRISAL, PlottedRun
from app.ui.widgets.word_table import WordTable

COLORINGS = (Coloring.PROBABILITY, Coloring.SURPRISE)
QUANTITIES = {"speed": tr("Speed"), "surprisal": tr("Surprisal")}
COPY = tr("Copy")
BELOW_TABS = (0, GAP_PX, 0, 0)


class DifferencesPage(QWidget):
    """The table of differences, at first without the rows in which all columns are equal."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._found: Comparison | None = None
        self._table = WordTable(theme, f"{name}_differences", tr("Differences"), folds=True)
        self._note = SmallPrint(theme, f"{name}_differences_note")
        tip = tr("Also show the settings and values that are equal in all columns")
        self._all = push_button(f"{name}_equal_rows", "", tip, kind="small")
        self._all.setCheckable(True)
        self._all.toggled.connect(self._fill)
        in_column((self._table, 1), self._note, in_row(self._all, ...), on=self, gap=GRID_PX, margins=BELOW_TABS)
        self._fill()

    def show_comparison(self, found: Comparison | None) -> None:
        self._found = found
        self._note.say(found.note if found is not None else "")
        self._fill()

    def _fill(self) -> None:
        rows = self._found.rows if self._found is not None else ()
        titles = self._found.titles if self._found is not None else ()
        equal = sum(row.is_equal for row in rows)
        self._all.setText(tr("Show %n equal rows", "Show %n equal row", equal))
        self._all.setVisible(bool(equal))
        shown = [(row.name, *row.cells) for row in rows if self._all.isChecked() or not row.is_equal]
        self._table.show_rows(("", *titles), shown, ())


class TokensPage(QWidget):
    """The aligned tokens, colored on one scale, with the first differences above."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        words, tips = ({each.value: texts[each] for each in COLORINGS} for texts in (NAMES, DEFINITIONS))
        self._choice = SegmentedChoice(f"{name}_token_color", tr("Coloring"), words, tips)
        self._choice.chosen.connect(self._color)
        self._scale = TokenScale(theme)
        self._tokens = AlignedTokens(theme, f"{name}_aligned")
        tip = tr("Go to the next tokens that differ")
        following = push_button(
            f"{name}_next_difference",
            tr("Next difference"),
            tip,
            kind="small",
            press=self._tokens.show_next_difference,
        )
        self._sentences = plain_label(
            f"{name}_first_differences", wraps=True, selectable=True, font=theme.font(Size.SMALL)
        )
        self._pointed = named(OneLine(), f"{name}_token_pointed", font=theme.font(Size.SMALL))
        self._tokens.pointed.connect(self._pointed.setText)
        head = in_row(self._choice, (self._scale, 1), following, gap=GRID_PX)
        in_column(head, self._sentences, (self._tokens, 1), self._pointed, on=self, gap=GRID_PX, margins=BELOW_TABS)

    def show_comparison(self, found: Comparison | None) -> None:
        self._sentences.setText("\n".join(found.sentences) if found is not None else "")
        self._tokens.show_comparison(found)
        self._color()

    def _color(self) -> None:
        coloring = Coloring(self._choice.choice)
        self._scale.show_scale(Scale(coloring, observed=self._tokens.has_probabilities))
        self._tokens.color_by(coloring)


class WordDiffPage(QWidget):
    """The word diff of two columns, which the user chooses. `diff` starts the diff of two texts."""

    def __init__(self, theme: Theme, name: str, diff: Callable[[str, str], object]) -> None:
        super().__init__()
        self._ask, self._texts = diff, tuple[str, ...]()
        self._diff = DiffView(theme, f"{name}_diff")
        self._first = self._box(theme, "diff_first", tr("The first text"))
        self._second = self._box(theme, "diff_second", tr("The second text"))
        tip = tr("Copy as a word diff ([-removed-] {+added+})")
        copy = tool_button("copy_diff", COPY, tip, tr("Copy the difference"), kind="small", press=self._diff.copy_all)
        copy.setFont(theme.font(Size.SMALL))
        pair = in_row((self._first, 1), plain_label("", "→"), (self._second, 1), copy)
        in_column(pair, (self._diff, 1), on=self, gap=GRID_PX, margins=BELOW_TABS)

    def show_comparison(self, found: Comparison | None) -> None:
        self._texts = tuple(column.words for column in found.columns) if found is not None else ()
        entries = dict(enumerate(found.titles)) if found is not None else {}
        is_other = list(entries.values()) != [self._first.itemText(at) for at in range(self._first.count())]
        for number, box in enumerate((self._first, self._second)):
            box.show_entries(entries)
            if is_other:
                box.show_value(number)
        self._compare()

    def show_diff(self, pair: tuple[str, str], stretches: Sequence[DiffSegment]) -> None:
        """Show the diff, if it is that of the chosen texts."""
        if pair == self._pair():
            self._diff.show_stretches(stretches)

    def _pair(self) -> tuple[str, str] | None:
        chosen = self._first.currentData(), self._second.currentData()
        return None if None in chosen else (self._texts[chosen[0]], self._texts[chosen[1]])

    def _compare(self) -> None:
        pair = self._pair()
        self._diff.wait(COMPARING if pair else "")
        if pair:
            self._ask(*pair)

    def _box(self, theme: Theme, name: str, tip: str) -> ChoiceBox:
        box = ChoiceBox(name, tip, tip, narrow=True)
        box.setFont(theme.font(Size.SMALL))
        box.currentIndexChanged.connect(self._compare)
        return box


class CurvesPage(QWidget):
    """The speed or the surprisal of all columns, over time or tokens."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._found: Comparison | None = None
        tip = tr("Tokens per second, or the surprisal around each token")
        self._quantity = ChoiceBox(f"{name}_curve_quantity", tr("Plot"), tip, QUANTITIES)
        self._quantity.currentIndexChanged.connect(self._draw)
        self._overlay = SpeedOverlay(theme, f"{name}_overlay")
        in_column(in_row(self._quantity, ...), (self._overlay, 1), on=self, gap=GRID_PX, margins=BELOW_TABS)

    def show_comparison(self, found: Comparison | None) -> None:
        self._found = found
        self._draw()

    def _draw(self) -> None:
        columns = self._found.columns if self._found is not None else ()
        is_speed = self._quantity.currentData() == "speed"
        curves = [_speed_curve(at, each) if is_speed else _surprisal_curve(at, each) for at, each in enumerate(columns)]
        self._overlay.show_runs(curves, [column.name for column in columns], SPEED if is_speed else SURPRISAL)


def _speed_curve(number: int, column: ComparedRun) -> PlottedRun:
    return PlottedRun(number, speed_points(column), column.mean("speed_mean"))


def _surprisal_curve(number: int, column: ComparedRun) -> PlottedRun:
    mean = column.mean("surprisal")
    return PlottedRun(number, surprisal_points(column), None if mean is None else mean / log(2))
