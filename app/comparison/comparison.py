"""A whole comparison: computed on a thread, then shown and exported."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.comparison.alignment import Alignment, align, first_difference
from app.comparison.columns import ComparedRun
from app.comparison.differences import ComparedRow, compare_columns, interval_note
from app.i18n import tr
from app.records.html_parts import LETTERS as LETTERS

PIECES = tr("A server sent pieces of text instead of tokens: their boundaries are not those of tokens.")


@dataclass(frozen=True, slots=True)
class Comparison:
    columns: tuple[ComparedRun, ...]
    rows: tuple[ComparedRow, ...]
    note: str
    """What the differences mean, and which columns are missing."""
    alignment: Alignment
    sentences: tuple[str, ...]
    """The first different token of each column."""

    @property
    def titles(self) -> tuple[str, ...]:
        """The names of the columns with their letters."""
        return tuple(f"{letter}  {column.name}" for letter, column in zip(LETTERS, self.columns, strict=False))


def compare(columns: Sequence[ComparedRun]) -> Comparison:
    """Compare the first six columns."""
    shown = tuple(columns[: len(LETTERS)])
    note = interval_note(shown)
    if len(columns) > len(shown):
        words = tr("The first {shown} of {all} variants are compared.")
        note = f"{words.format(shown=len(shown), all=len(columns))} {note}".rstrip()
    first, *others = zip(LETTERS, shown, strict=False)
    pairs = [((first[0], letter), first[1], other) for letter, other in others]
    has_pieces = any(column.has_pieces for column in shown)
    sentences = (PIECES,) if has_pieces else tuple(first_difference(*pair) for pair in pairs)
    return Comparison(shown, compare_columns(shown), note, align(shown), sentences)
