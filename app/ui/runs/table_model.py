"""The rows of the table of runs: filtered, sorted, and each compared with the one above it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QFont

from app.i18n import tr
from app.records.run_settings import Difference, differences
from app.records.types import RunRow
from app.ui.look import Size, Theme
from app.ui.runs.columns import COLUMNS, MARK, OTHERS, SETTINGS, explained, haystack, named
from app.ui.widgets import Column, TableModel


@dataclass(frozen=True, slots=True)
class RowDifferences:
    """How a row differs from the one above, by the name of the column; settings without one in words too."""

    own: dict[str, str]
    others: str = ""


class RunsModel(TableModel[RunRow]):
    """What the user set otherwise than in the row above is marked."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(COLUMNS)
        self._theme = theme
        self._haystacks: dict[int, str] = {}
        self._seeds: Counter[int | None] = Counter()
        self._above: dict[int, RowDifferences] = {}

    def show_rows(self, rows: Sequence[RunRow], columns: Sequence[Column[RunRow]] | None = None) -> None:
        self._haystacks.clear()
        self._seeds = Counter(row.seed for row in rows)
        super().show_rows(rows, columns)

    def matches(self, row: RunRow, text: str) -> bool:
        """Whether each of these words occurs in it."""
        found = self._haystacks.get(row.id) or self._haystacks.setdefault(row.id, haystack(row))
        return all(word in found for word in text.split())

    def sort_key(self, column: Column[RunRow], row: RunRow) -> tuple[str, float]:
        """Numbers by size, words by their letters."""
        value = column.value(row)
        return (value.casefold(), row.started) if isinstance(value, str) else ("", float(value or 0))

    def shown(self, place: int, column: Column[RunRow]) -> str:
        text = self._text(place, column)
        return f"{MARK}{text}" if self._differs(place, column) else text

    def spoken(self, place: int, column: Column[RunRow]) -> str | None:
        if not self._differs(place, column):
            return None
        words = tr("{column}: {text}, differs from the row above")
        return words.format(column=column.title, text=self._text(place, column))

    def tip(self, place: int, column: Column[RunRow]) -> str:
        return self._compare(place).own.get(column.name) or self._text(place, column)

    def font(self, place: int, column: Column[RunRow]) -> QFont | None:
        return self._theme.font(Size.NORMAL, bold=True) if self._differs(place, column) else None

    def _text(self, place: int, column: Column[RunRow]) -> str:
        return self._compare(place).others if column.name == OTHERS else column.text(self.rows[place])

    def _differs(self, place: int, column: Column[RunRow]) -> bool:
        return column.name in self._compare(place).own

    def _compare(self, place: int) -> RowDifferences:
        """Remembered, since a table asks for each cell many times."""
        if place not in self._above:
            found = self._changes(self.rows[place - 1], self.rows[place]) if place else ()
            own = {SETTINGS[each.name]: explained(each) for each in found if each.name in SETTINGS}
            rest = [each for each in found if each.name not in SETTINGS]
            if rest:
                own[OTHERS] = "\n".join(map(explained, rest))
            self._above[place] = RowDifferences(own, ", ".join(map(named, rest)))
        return self._above[place]

    def _changes(self, before: RunRow, after: RunRow) -> list[Difference]:
        """Seeds that no other run has were drawn, each time anew: nobody changed them."""
        drawn = all(row.seed is not None and self._seeds[row.seed] == 1 for row in (before, after))
        return [each for each in differences(before, after) if not (drawn and each.name == "seed")]

    def _arrange(self, columns: tuple[Column[RunRow], ...]) -> None:
        self._above.clear()
        super()._arrange(columns)
