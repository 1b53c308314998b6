"""The columns of the two tables of models: what stands in them, and what they are sorted by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from PySide6.QtCore import QDate, QLocale

from app.figures import DASH, parameters, size
from app.library.types import HubModel, LocalModel
from app.words import tr

UNKNOWN = -1.0
"""Sorted below everything that is known."""


@dataclass(frozen=True, slots=True)
class LocalRow:
    """A model on this machine. `why_not`: why it can't be chosen for what the picker is open for."""

    model: LocalModel
    why_not: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """`text` and `key` take a row."""

    title: str
    width_px: int
    text: Callable[[Any], str]
    key: Callable[[Any], str | float]
    figures: bool = True


def day(moment: float | None, today: date | None = None) -> str:
    """A day as people say it."""
    if moment is None:
        return DASH
    then, today = date.fromtimestamp(moment), today or date.today()
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
    # One type for all: Qt compares as the left one has it, and would cut a long one off at 32 bits.
    return UNKNOWN if value is None else float(value)


def _local(text: Callable[[LocalModel], str], key: Callable[[LocalModel], str | float]) -> tuple[Any, Any]:
    return (lambda row: text(row.model)), (lambda row: key(row.model))


LOCAL = (
    Column(tr("Model"), 0, *_local(lambda model: model.name, lambda model: model.name.lower()), figures=False),
    Column(tr("Parameters"), 98, *_local(lambda m: _parameters(m.parameters), lambda m: _number(m.parameters))),
    Column(tr("Bits"), 58, *_local(lambda model: quantised(model.bits), lambda model: _number(model.bits))),
    Column(tr("On disk"), 88, *_local(lambda model: size(model.size), lambda model: _number(model.size))),
    Column(tr("Type"), 86, *_local(lambda model: model.model_type or DASH, lambda m: m.model_type), figures=False),
    Column(tr("Used"), 92, *_local(lambda model: day(model.last_used), lambda model: _number(model.last_used))),
)


def _hub(text: Callable[[HubModel], str], key: Callable[[HubModel], str | float]) -> tuple[Any, Any]:
    return text, key


HUB = (
    Column(tr("Model"), 0, *_hub(lambda model: model.id, lambda model: model.id.lower()), figures=False),
    Column(tr("Bits"), 56, *_hub(lambda model: quantised(model.bits), lambda model: _number(model.bits))),
    Column(tr("Weights"), 82, *_hub(lambda model: sized(model.weights), lambda model: _number(model.weights))),
    Column(tr("Licence"), 92, *_hub(lambda model: terms(model), lambda model: terms(model)), figures=False),
    Column(tr("Downloads"), 94, *_hub(lambda model: rough(model.downloads), lambda model: _number(model.downloads))),
    Column(tr("Changed"), 92, *_hub(lambda model: day(model.changed), lambda model: _number(model.changed))),
)


def terms(model: HubModel) -> str:
    """What stands between it and its use, in a word."""
    return tr("gated") if model.gated else model.licence or DASH


def local_words(row: LocalRow) -> str:
    """What the filter looks through."""
    model = row.model
    return f"{model.name} {model.model_type} {quantised(model.bits)} {model.folder}"


def hub_words(model: HubModel) -> str:
    """What the filter looks through."""
    return f"{model.id} {model.licence} {model.model_type}"
