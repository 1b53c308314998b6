"""Values of our own to JSON, and back with every type checked: the journal, exported files, settings and presets."""

import dataclasses
import json
import math
import types
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache, reduce
from typing import Any, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from app.engine.types import LATER, Alternative, ChatPrompt, RawPrompt, TokenPrompt, TopTokens
from app.files import json_reader
from app.files.json_reader import Json, UnfitError
from app.i18n import tr

Value = TypeVar("Value")
Kind: TypeAlias = Any
"""A type as it was declared: a class, a union, a tuple of something."""
LARGEST = 2**63 - 1
"""In a column of SQLite."""
LARGEST_SAID = 2**64 - 1
"""In JSON: seeds were as large once. What is larger is written as this, since a file with it could not be read."""
WHOLE_NUMBERS = tuple[int, ...]
"""A prompt may have a hundred thousand of them, so they are not looked at one by one."""
KINDS: dict[type, str] = {ChatPrompt: "chat", RawPrompt: "raw", TokenPrompt: "tokens"}
"""Where a field may hold one of several of our classes, its `kind` tells which."""
INFINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
"""What JSON has no number for is told in a word."""


UNFIT = (OSError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""All that a file may raise that others have written."""


def clean(text: str) -> str:
    """The text with half characters replaced, which neither UTF-8 nor SQLite can hold."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def held(number: int | None) -> int | None:
    """A number as a column of SQLite can hold it."""
    return None if number is None else max(-LARGEST, min(number, LARGEST))


def write(kind: Kind, value: Json) -> Json:
    """What JSON says for a value whose type was declared as `kind`: 0 becomes 0.0 where a float belongs."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(str(value))
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Alternative):
        return [value.id, clean(value.text), _number(value.logprob), _number(value.raw_logit)]
    if isinstance(value, TopTokens):
        return [write(Alternative, candidate) for candidate in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _write_fields(kind, value)
    if kind == WHOLE_NUMBERS:
        return list(value)
    if isinstance(value, tuple):
        return [write(item_kind, item) for item_kind, item in zip(_item_kinds(kind, len(value)), value, strict=True)]
    if isinstance(value, float) or (float in _choices(kind) and int not in _choices(kind)):
        return _number(value)
    return max(-LARGEST_SAID, min(int(value), LARGEST_SAID))


def read(kind: type[Value], said: object, place: str = "") -> Value:
    """The value of `kind` that JSON says; UnfitError where it is none, or says more than that."""
    found: Value = _Reader(strict=True).read(kind, said, place)
    return found


def recall(kind: type[Value], said: object) -> Value:
    """Read what this program wrote, perhaps an earlier version of it: what nobody knows any more is passed over."""
    found: Value = _Reader(strict=False).read(kind, said, "")
    return found


def read_plain(kind: type[Value], said: object) -> Value:
    """Read what `asdict` and `json` made of it, whose texts and numbers may be any; what nobody knows is left out."""
    found: Value = _Reader(strict=False, plain=True).read(kind, said, "")
    return found


def json_object(said: str | bytes) -> dict[str, Json]:
    """The object that a text from outside is; empty for whatever else it may be."""
    try:
        found = json_reader.parse(said)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def dumps(kind: Kind, value: Json) -> str:
    """What is `recall`ed by `loads`."""
    return json.dumps(write(kind, value))


def loads(kind: type[Value], said: str) -> Value:
    return recall(kind, json_reader.own(said))


def _write_fields(kind: Kind, value: Json) -> dict[str, Json]:
    hints = _hints(value.__class__)
    tag = {"kind": KINDS[type(value)]} if len(_classes(kind)) > 1 else {}
    later = _later(value.__class__)
    told = {name: getattr(value, name) for name in hints}
    return tag | {n: write(hints[n], each) for n, each in told.items() if n not in later or each != later[n]}


def _number(value: float) -> float | str:
    value = float(value)
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


class _Reader:
    """Reads by declared types. `strict`: names that aren't known are refused, since they would be lost.

    `plain`: no text stands for a number, and none is looked at; what is no number is one of Python's own.
    """

    def __init__(self, strict: bool, plain: bool = False) -> None:
        self._strict, self._plain = strict, plain

    def read(self, kind: Kind, said: object, place: str) -> Json:
        choices = _choices(kind)
        if said is None and type(None) in choices:
            return None
        classes = _classes(kind)
        if len(classes) > 1:
            tagged = _class_of(classes, said, place)
            return self._read_fields(tagged, said, place, also="kind")
        if classes:
            return self._read_fields(classes[0], said, place)
        if Alternative in choices:
            return Alternative(*self._read_items(tuple(get_type_hints(Alternative).values()), said, place))
        if _origin(choices[0]) is Sequence:
            return TopTokens.of(self._read_items(tuple[Alternative, ...], said, place))
        if _origin(choices[0]) is tuple:
            return self._read_items(choices[0], said, place)
        return self._read_simple(choices, said, place)

    def _read_simple(self, choices: tuple[Kind, ...], said: object, place: str) -> Json:
        if isinstance(said, bool) or said is None:
            return said if type(said) in choices else _refuse(place, said, choices)
        if isinstance(said, str):
            return self._read_word(choices, said, place)
        if isinstance(said, int):
            if self._strict and abs(said) > LARGEST_SAID:
                raise UnfitError(tr("{place} is too large a number").format(place=place))
            return said if int in choices else float(said) if float in choices else _refuse(place, said, choices)
        if isinstance(said, float) and float in choices and (self._plain or math.isfinite(said)):
            return said
        return _refuse(place, said, choices)

    def _read_word(self, choices: tuple[Kind, ...], said: str, place: str) -> Json:
        if not self._plain and clean(said) is not said:
            raise UnfitError(tr("{place} has an unpaired surrogate").format(place=place))
        if str in choices:
            return said
        if float in choices and said in INFINITE and not self._plain:
            return INFINITE[said]
        try:
            if bytes in choices:
                return bytes.fromhex(said)
            if isinstance(choices[0], type) and issubclass(choices[0], StrEnum):
                return choices[0](said)
        except ValueError:
            pass
        return _refuse(place, said, choices)

    def _read_items(self, kind: Kind, said: object, place: str) -> tuple[Any, ...]:
        if not isinstance(said, list):
            raise UnfitError(tr("{place} is not a list").format(place=place))
        if kind == WHOLE_NUMBERS and _are_whole_numbers(said):
            return tuple(said)
        kinds = kind if isinstance(kind, tuple) else _item_kinds(kind, len(said))
        if len(kinds) != len(said):
            words = tr("{place} has {count} items, not {wanted}")
            raise UnfitError(words.format(place=place, count=len(said), wanted=len(kinds)))
        return tuple(
            [self.read(kind, item, f"{place}[{at}]") for at, (kind, item) in enumerate(zip(kinds, said, strict=True))]
        )

    def _read_fields(self, kind: Kind, said: object, place: str, also: str = "") -> Json:
        """A field that is missing has its default; one that nobody knows is refused, since it would be lost."""
        if not isinstance(said, Mapping):
            raise UnfitError(tr("{place} is not an object").format(place=place or tr("this")))
        hints = _hints(kind)
        for name in said:
            if self._strict and name not in hints and name != also:
                raise UnfitError(tr("{place} is unknown").format(place=_inner(place, _short(name))))
        fields = {
            name: self.read(hint, said[name], _inner(place, name)) for name, hint in hints.items() if name in said
        }
        for field in dataclasses.fields(kind):
            needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            if needed and field.name not in fields:
                raise UnfitError(tr("{place} is missing").format(place=_inner(place, field.name)))
        return kind(**fields)


def _are_whole_numbers(said: list[Any]) -> bool:
    return set(map(type, said)) == {int} and -LARGEST <= min(said) <= max(said) <= LARGEST


def _class_of(classes: tuple[Kind, ...], said: object, place: str) -> Kind:
    tag = said.get("kind") if isinstance(said, Mapping) else None
    for known in classes:
        if KINDS[known] == tag:
            return known
    words = tr("{place} is not one of {choices}")
    raise UnfitError(words.format(place=_inner(place, "kind"), choices=", ".join(KINDS.values())))


def _refuse(place: str, said: object, choices: tuple[Kind, ...]) -> Json:
    names = [tr("nothing") if choice is type(None) else choice.__name__ for choice in choices]
    wanted = reduce(lambda one, other: tr("{one} or {other}").format(one=one, other=other), names)
    raise UnfitError(tr("{place} is {said}, not {wanted}").format(place=place, said=_short(said), wanted=wanted))


def _short(said: object) -> str:
    text = clean(str(said))
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"


def _inner(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


@lru_cache(maxsize=64)
def _hints(kind: Kind) -> dict[str, Json]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


@lru_cache(maxsize=64)
def _later(kind: Kind) -> dict[str, Json]:
    """Fields that files had none of once, and what they are where nothing is said: then nothing is."""
    fresh = [each for each in dataclasses.fields(kind) if LATER.items() <= each.metadata.items()]
    made = (each.default_factory() if callable(each.default_factory) else each.default for each in fresh)
    return dict(zip([each.name for each in fresh], made, strict=True))


@lru_cache(maxsize=256)
def _choices(kind: Kind) -> tuple[Kind, ...]:
    return get_args(kind) if _origin(kind) in (Union, types.UnionType) else (kind,)


@lru_cache(maxsize=256)
def _classes(kind: Kind) -> tuple[Kind, ...]:
    return tuple(choice for choice in _choices(kind) if dataclasses.is_dataclass(choice))


def _item_kinds(kind: Kind, count: int) -> tuple[Any, ...]:
    for choice in _choices(kind):
        if _origin(choice) is tuple:
            items = get_args(choice)
            return items[:1] * count if Ellipsis in items else items
    return (kind,) * count


def _origin(kind: Kind) -> object:
    return get_origin(kind)
