"""The columns of the picker's tables: local models, models on the hub, models on servers, and servers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from PySide6.QtCore import QDate, QLocale

from app.definitions import of_name
from app.engine.types import Server
from app.i18n import tr
from app.library.types import HubModel, LocalModel
from app.number_format import DASH, parameters, size
from app.ui.widgets import Column

Text = Callable[[Any], str]
Value = Callable[[Any], str | float]
UNKNOWN = -1.0
"""Sorts below every known value."""


@dataclass(frozen=True, slots=True)
class LocalRow:
    """A model on this computer. `why_not`: the reason why it can't be opened or used as a draft model."""

    model: LocalModel
    why_not: str = ""
    is_open: bool = False


def day(moment: float | None, today: date | None = None) -> str:
    """Format a moment as a day: today, yesterday, or a date."""
    if moment is None:
        return DASH
    try:
        then, today = date.fromtimestamp(moment), today or date.today()
    except (ValueError, OverflowError, OSError):  # out of range
        return DASH
    ago = (today - then).days
    if ago in (0, 1):
        return tr("yesterday") if ago else tr("today")
    #: As Qt writes dates: a day of this year, or of another one.
    form = tr("d MMM") if then.year == today.year else tr("d MMM yyyy")
    return QLocale().toString(QDate(then.year, then.month, then.day), form)


def rough(number: int) -> str:
    """Format a count with two digits: 934, 12 k, 3.4 M."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.1f} {sign}" if number < 10 * unit else f"{number / unit:,.0f} {sign}"
    return str(number)


def bits_text(bits: int | None) -> str:
    """Format the bits per weight."""
    return tr("{bits}-bit").format(bits=bits) if bits else DASH


def size_text(count: int | None) -> str:
    return size(count) if count else DASH


def _parameters(number: int | None) -> str:
    return parameters(number) if number else DASH


def _number(value: float | None) -> float:
    return UNKNOWN if value is None else float(value)


def licence_text(model: HubModel) -> str:
    """Format the license, or that the model is gated."""
    return tr("gated") if model.gated else model.licence or DASH


def column(title: str, width_px: int, text: Text, value: Value | None = None, *, number: bool = True) -> Column[Any]:
    """Make a column; text sorts without regard to case."""
    by = value or (lambda row: text(row).lower())
    return Column(title, title, text, of_name(title), by, number, width_px=width_px)


def _local(title: str, width_px: int, text: Text, value: Value | None = None, *, number: bool = True) -> Column[Any]:
    """Make a column for the model of a `LocalRow`."""
    by = (lambda row: value(row.model)) if value is not None else None
    return column(title, width_px, lambda row: text(row.model), by, number=number)


LOCAL = (
    _local(tr("Model"), 0, lambda model: model.name, number=False),
    _local(tr("Parameters"), 98, lambda model: _parameters(model.parameters), lambda m: _number(m.parameters)),
    _local(tr("Bits"), 58, lambda model: bits_text(model.bits), lambda model: _number(model.bits)),
    _local(tr("On disk"), 88, lambda model: size(model.size), lambda model: _number(model.size)),
    _local(tr("Type"), 86, lambda model: model.model_type or DASH, lambda m: m.model_type, number=False),
    _local(tr("Used"), 92, lambda model: day(model.last_used), lambda model: _number(model.last_used)),
)
HUB = (
    column(tr("Model"), 0, lambda model: model.id, number=False),
    column(tr("Bits"), 56, lambda model: bits_text(model.bits), lambda model: _number(model.bits)),
    column(tr("Weights"), 82, lambda model: size_text(model.weights), lambda model: _number(model.weights)),
    column(tr("License"), 92, licence_text, licence_text, number=False),
    column(tr("Downloads"), 94, lambda model: rough(model.downloads), lambda model: _number(model.downloads)),
    column(tr("Changed"), 92, lambda model: day(model.changed), lambda model: _number(model.changed)),
)


def local_search_text(row: LocalRow) -> str:
    """Return the text that the filter searches."""
    model = row.model
    return f"{model.name} {model.model_type} {bits_text(model.bits)} {model.folder}"


def hub_search_text(model: HubModel) -> str:
    """Return the text that the filter searches."""
    return f"{model.id} {model.licence} {model.model_type}"


def display_name(server: Server) -> str:
    """Return the server's name, else its short address."""
    return server.called or short(server.address)


def short(address: str) -> str:
    """Remove the default scheme and path from an address."""
    return address.removeprefix("http://").removesuffix("/v1")


SERVERS = (
    column(tr("Server"), 0, display_name, number=False),
    column(tr("Address"), 150, lambda server: short(server.address), number=False),
)
SERVER_MODELS = (
    column(tr("Model"), 0, lambda model: model.name, number=False),
    column(
        tr("Context"),
        86,
        lambda model: f"{model.context:,}" if model.context else DASH,
        lambda model: float(model.context or UNKNOWN),
    ),
)
