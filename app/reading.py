"""Frozen dataclasses out of what JSON made of them, every value of the kind that its field asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import StrEnum
from types import UnionType
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

Value = TypeVar("Value")

Json = object
"""What `json.loads` makes: anything, until it has been looked at."""

UNFIT = (OSError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""All that a file may raise that others have written: brackets by the thousand, numbers of four hundred digits."""


def read_fields(kind: type[Value], kept: Json) -> Value:
    """A field that is missing keeps its default, one that is unknown is left out; TypeError for a wrong kind."""
    if not isinstance(kept, Mapping):
        raise TypeError(f"{kept!r} is not {kind}")
    hints = get_type_hints(kind)
    return kind(**{name: _read(hint, kept[name]) for name, hint in hints.items() if name in kept})


def _read(kind: object, kept: Json) -> object:
    """A value of `kind` from what JSON made of it."""
    if isinstance(kind, type) and is_dataclass(kind):
        return read_fields(kind, kept)
    if isinstance(kept, list) and get_origin(kind) is tuple:
        return _read_tuple(get_args(kind), kept)
    return _checked(kind, kept)


def _read_tuple(items: tuple[object, ...], kept: list[Json]) -> tuple[object, ...]:
    kinds = items if Ellipsis not in items else (items[0],) * len(kept)
    return tuple(_read(kind, value) for kind, value in zip(kinds, kept, strict=True))


def _checked(kind: object, kept: Json) -> object:
    if isinstance(kind, type) and issubclass(kind, StrEnum) and type(kept) is str:
        return kind(kept)
    allowed = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if type(kept) in allowed:
        return kept
    if float in allowed and type(kept) is int:
        return float(kept)
    raise TypeError(f"{kept!r} is not {kind}")
