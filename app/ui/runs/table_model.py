"""The model of the table of runs: filtered, sorted, each row compared with the one above."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QFont

from app.i18n import tr
from app.records.run_settings import SettingDifference, differences
from app.records.types import RunRow
from app.ui.look import Size, Theme
from app.ui.runs.columns import COLUMNS, MARK, OTHERS, SETTINGS, explained, haystack, named
from app.ui.widgets import Column, TableModel


@dataclass(frozen=True, slots=True)
class RowDifferences:
    """Differences to the row above by column; `others` lists settings without a column."""

    own: dict[str, str]
    others: str = ""


class RunsModel(TableModel[RunRow]):
    """Marks the settings that differ from the row above."""

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
        """Whether all words occur in the row."""
        found = self._haystacks.get(row.id) or self._haystacks.setdefault(row.id, haystack(row))
        return all(word in found for word in text.split())

    def sort_key(self, column: Column[RunRow], row: RunRow) -> tuple[str, float]:
        """Sort numbers by value and text without regard to case."""
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
        """Compare with the row above; cached, since Qt asks often."""
        if place not in self._above:
            found = self._changes(self.rows[place - 1], self.rows[place]) if place else ()
            own = {SETTINGS[each.name]: explained(each) for each in found if each.name in SETTINGS}
            rest = [each for each in found if each.name not in SETTINGS]
            if rest:
                own[OTHERS] = "\n".join(map(explained, rest))
            self._above[place] = RowDifferences(own, ", ".join(map(named, rest)))
        return self._above[place]

    def _changes(self, before: RunRow, after: RunRow) -> list[SettingDifference]:
        """Return the differences without random seeds, which the user didn't set."""
        drawn = all(row.seed is not None and self._seeds[row.seed] == 1 for row in (before, after))
        return [each for each in differences(before, after) if not (drawn and each.name == "seed")]

    def _arrange(self, columns: tuple[Column[RunRow], ...]) -> None:
        self._above.clear()
        super()._arrange(columns)
