"""The candidates as a table: the same rows for the eye, for the bars and for a screen reader."""

import math
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from app.definitions import meaning
from app.i18n import tr
from app.number_format import chance
from app.ui.inspector.facts import logit, logprob
from app.ui.inspector.rows import REST, AlternativeRow, Distribution
from app.ui.look import Size, Theme
from app.ui.widgets import Column, TableModel

CHOSEN, OTHER = "● ", "  "
"""Before a token: the one that was taken, any other one."""
TOKEN, SHARE = 0, 1
TOKEN_TIP = tr("The token; ● is before the one that was taken. ⟨E2 80⟩: bytes that are only a part of a character.")
FORBIDDEN_FOR = tr("{column}: {text}, forbidden by the form, which expected {expected}")


def _known(value: float | None, say: Callable[[float], str]) -> str:
    return "" if value is None or math.isnan(value) else say(value)


def _figure(
    title: str, tip: str, text: Callable[[AlternativeRow], str], sample: str = "", *, number: bool = True
) -> Column[AlternativeRow]:
    return Column(title, title, text, tip, number=number, sample=sample)


NAMES = _figure(tr("Token"), TOKEN_TIP, lambda row: row.name, number=False)
IDS = _figure(tr("Id"), meaning("id"), lambda row: "" if row.id is None or row.id < 0 else f"{row.id}", "222222")
COLUMNS = {
    Distribution.BEFORE: (
        NAMES,
        _figure(tr("Probability"), meaning("probability"), lambda row: chance(row.before)),
        _figure(tr("Log-prob."), meaning("logprob"), lambda row: _known(row.logprob, logprob), "−22.222"),
        _figure(tr("Logit"), meaning("raw_logit"), lambda row: _known(row.raw_logit, logit), "−22.22"),
        IDS,
    ),
    Distribution.AFTER: (
        NAMES,
        _figure(tr("After filters"), meaning("left_over"), lambda row: chance(row.share)),
        _figure(tr("Taken out by"), tr("The setting that ruled it out"), lambda row: row.fate, number=False),
        _figure(tr("Before"), meaning("probability"), lambda row: chance(row.before), "> 99.99 %"),
        IDS,
    ),
}


class CandidatesModel(TableModel[AlternativeRow]):
    """Shows one distribution at a time; a table of the same shape stays as it is laid out."""

    steady = True
    nothing = tr("none")

    def __init__(self, theme: Theme) -> None:
        super().__init__(COLUMNS[Distribution.BEFORE])
        self._theme = theme
        self.expected = ""
        """What the form asked for in the place of what it forbade."""
        self.take_fonts()

    def take_fonts(self) -> None:
        """In the theme's present size."""
        theme = self._theme
        self._small, self._quiet = theme.font(Size.SMALL), theme.font(Size.SMALL)
        self._quiet.setItalic(True)
        self._mono = theme.font(Size.SMALL, mono=True)
        self._struck = theme.font(Size.SMALL, mono=True)
        self._struck.setStrikeOut(True)
        self._bold = theme.font(Size.SMALL, mono=True, bold=True)

    def width_of(self, row: AlternativeRow) -> int:
        """So wide its name is written."""
        return QFontMetrics(self._bold).horizontalAdvance(f"{CHOSEN}{REST if row.id is None else row.name}")

    def row_of(self, token: int | None) -> int | None:
        """Where this candidate stands."""
        return next((place for place, row in enumerate(self.rows) if row.id == token and token is not None), None)

    def shown(self, place: int, column: Column[AlternativeRow]) -> str:
        row = self.rows[place]
        if column is not NAMES:
            return column.text(row)
        return f"{CHOSEN if row.chosen else OTHER}{REST if row.id is None else row.name}"

    def spoken(self, place: int, column: Column[AlternativeRow]) -> str | None:
        """A token that was taken says so."""
        row, words = self.rows[place], ""
        if column is NAMES and row.chosen and row.id is None:
            words = tr("{column}: {text}, the one that was taken is among them")
        elif column is NAMES and row.chosen:
            words = tr("{column}: {text}, the one that was taken")
        elif column is NAMES and row.forbidden:
            words = FORBIDDEN_FOR if self.expected else tr("{column}: {text}, forbidden by the form")
        if not words:
            return super().spoken(place, column)
        return words.format(column=column.title, text=column.text(row) or self.nothing, expected=self.expected)

    def font(self, place: int, column: Column[AlternativeRow]) -> QFont | None:
        row = self.rows[place]
        if column is not NAMES:
            return None
        if row.forbidden:
            return self._struck
        return self._quiet if row.id is None else self._bold if row.chosen else self._mono

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self._small if role == Qt.ItemDataRole.FontRole else super().headerData(section, orientation, role)
