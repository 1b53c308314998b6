"""Formatting of an experiment's numbers for tables."""

from collections.abc import Callable

from app.engine.types import Reason
from app.experiments.figures import Spread, VariantFigures
from app.experiments.types import FigureColumn, Plain
from app.i18n import tr
from app.number_format import DASH, measured_duration, size, three_digits

BYTES, SHARE, SECONDS = "bytes", "share", "s"
UNITS = {"tok/s": tr("tok/s"), "tok/s per 100 tokens": tr("tok/s per 100 tokens")}


def heading(column: FigureColumn) -> str:
    """Return a column's title with its unit, unless the cells contain units."""
    if column.unit in ("", BYTES, SHARE, SECONDS):
        return column.title
    return f"{column.title} ({UNITS.get(column.unit, column.unit)})"


def cell(column: FigureColumn, each: Spread | None) -> str:
    """Format the median, and the range if the runs differ."""
    if each is None:
        return DASH
    values = (each.least, each.middle, each.most)
    if isinstance(each.least, int) and isinstance(each.most, int) and each.middle == int(each.middle):
        values = (each.least, int(each.middle), each.most)
    least, middle, most = (number(column, value) for value in values)
    if least == most:
        return middle
    units = {words.partition(" ")[2] for words in (least, middle, most)}
    if len(units) > 1 or units == {""}:
        return f"{middle} ({least}–{most})"
    least, middle, most = (words.partition(" ")[0] for words in (least, middle, most))
    return f"{middle} ({least}–{most}) {units.pop()}"


def number(column: FigureColumn, value: float) -> str:
    if column.unit == BYTES:
        return size(value)
    if column.unit == SECONDS:
        return measured_duration(value)
    return str(value) if isinstance(value, int) else three_digits(value) if value >= 0 else f"−{three_digits(-value)}"


def endings(row: VariantFigures, name: Callable[[Reason], str] = lambda reason: reason.plain_words) -> str:
    """Format the finish reasons of a variant's runs."""
    if len(row.endings) == 1:
        return name(row.endings[0][0])
    return ", ".join(f"{count} × {name(reason)}" for reason, count in row.endings)


def told(value: Plain) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"{value:.2f}" if isinstance(value, float) else str(value)
