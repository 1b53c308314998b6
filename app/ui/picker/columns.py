"""The columns of the two tables of models: what stands in them, and what they are sorted by."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from PySide6.QtCore import QDate, QLocale

from app.definitions import of_name
from app.i18n import tr
from app.library.types import HubModel, LocalModel
from app.number_format import DASH, parameters, size
from app.ui.widgets import Column

Text = Callable[[Any], str]
Value = Callable[[Any], str | float]
UNKNOWN = -1.0
"""Sorted below everything that is known."""


@dataclass(frozen=True, slots=True)
class LocalRow:
    """A model on this machine. `why_not`: why it can't be chosen for what the picker is open for."""

    model: LocalModel
    why_not: str = ""
    is_open: bool = False


def day(moment: float | None, today: date | None = None) -> str:
    """A day as people say it."""
    if moment is None:
        return DASH
    try:
        then, today = date.fromtimestamp(moment), today or date.today()
    except (ValueError, OverflowError, OSError):  # no moment that a calendar has
        return DASH
    ago = (today - then).days
    if ago in (0, 1):
        return tr("yesterday") if ago else tr("today")
    #: As Qt writes dates: a day of this year, or of another one.
    form = tr("d MMM") if then.year == today.year else tr("d MMM yyyy")
    return QLocale().toString(QDate(then.year, then.month, then.day), form)


def rough(number: int) -> str:
    """A count that only has to be compared: 934, 12 k, 3.4 M."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.1f} {sign}" if number < 10 * unit else f"{number / unit:,.0f} {sign}"
    return str(number)


def quantised(bits: int | None) -> str:
    """Its precision, in the words of the model button."""
    return tr("{bits}-bit").format(bits=bits) if bits else DASH


def sized(count: int | None) -> str:
    return size(count) if count else DASH


def _parameters(number: int | None) -> str:
    return parameters(number) if number else DASH


def _number(value: float | None) -> float:
    return UNKNOWN if value is None else float(value)


def terms(model: HubModel) -> str:
    """What stands between it and its use, in a word."""
    return tr("gated") if model.gated else model.licence or DASH


def column(title: str, width_px: int, text: Text, value: Value | None = None, *, number: bool = True) -> Column[Any]:
    """Words are sorted by their letters."""
    by = value or (lambda row: text(row).lower())
    return Column(title, title, text, of_name(title), by, number, width_px=width_px)


def _local(title: str, width_px: int, text: Text, value: Value | None = None, *, number: bool = True) -> Column[Any]:
    """Of a LocalRow's model."""
    by = (lambda row: value(row.model)) if value is not None else None
    return column(title, width_px, lambda row: text(row.model), by, number=number)


LOCAL = (
    _local(tr("Model"), 0, lambda model: model.name, number=False),
    _local(tr("Parameters"), 98, lambda model: _parameters(model.parameters), lambda m: _number(m.parameters)),
    _local(tr("Bits"), 58, lambda model: quantised(model.bits), lambda model: _number(model.bits)),
    _local(tr("On disk"), 88, lambda model: size(model.size), lambda model: _number(model.size)),
    _local(tr("Type"), 86, lambda model: model.model_type or DASH, lambda m: m.model_type, number=False),
    _local(tr("Used"), 92, lambda model: day(model.last_used), lambda model: _number(model.last_used)),
)
HUB = (
    column(tr("Model"), 0, lambda model: model.id, number=False),
    column(tr("Bits"), 56, lambda model: quantised(model.bits), lambda model: _number(model.bits)),
    column(tr("Weights"), 82, lambda model: sized(model.weights), lambda model: _number(model.weights)),
    column(tr("Licence"), 92, terms, terms, number=False),
    column(tr("Downloads"), 94, lambda model: rough(model.downloads), lambda model: _number(model.downloads)),
    column(tr("Changed"), 92, lambda model: day(model.changed), lambda model: _number(model.changed)),
)


def local_words(row: LocalRow) -> str:
    """What the filter looks through."""
    model = row.model
    return f"{model.name} {model.model_type} {quantised(model.bits)} {model.folder}"


def hub_words(model: HubModel) -> str:
    """What the filter looks through."""
    return f"{model.id} {model.licence} {model.model_type}"
