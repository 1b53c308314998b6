"""Conversion of dataclasses to JSON and back with type checks: journal, exports, settings, presets."""

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
from app.files.json_reader import InvalidJsonError, Json
from app.i18n import tr

Value = TypeVar("Value")
Kind: TypeAlias = Any
"""A declared type: a class, a union, a tuple type."""
LARGEST = 2**63 - 1
"""The largest integer of a SQLite column."""
LARGEST_SAID = 2**64 - 1
"""The largest integer in JSON, since old seeds are this large. Larger ones are clamped."""
WHOLE_NUMBERS = tuple[int, ...]
"""Type that is checked in one step, since a prompt may have 100,000 integers."""
KINDS: dict[type, str] = {ChatPrompt: "chat", RawPrompt: "raw", TokenPrompt: "tokens"}
"""Values of the key `kind`, which names the class if a field's type has several."""
NON_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
"""JSON strings for the numbers that JSON doesn't have."""


UNFIT = (OSError, ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""Exceptions that reading an untrusted file can raise."""


def clean(text: str) -> str:
    """Replace unpaired surrogates, which neither UTF-8 nor SQLite can store."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def clamp(number: int | None) -> int | None:
    """Clamp a number to the range of a SQLite column."""
    return None if number is None else max(-LARGEST, min(number, LARGEST))


def write(kind: Kind, value: Json) -> Json:
    """Convert a value of the declared type `kind` to JSON: an int becomes a float where one is declared."""
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


def read(kind: type[Value], content: object, path: str = "") -> Value:
    """Convert JSON to a value of `kind`; raise InvalidJsonError for a wrong type or an unknown field."""
    found: Value = _Reader(strict=True).read(kind, content, path)
    return found


def recall(kind: type[Value], content: object) -> Value:
    """Convert JSON that this program or an earlier version wrote; unknown fields are ignored."""
    found: Value = _Reader(strict=False).read(kind, content, "")
    return found


def read_plain(kind: type[Value], content: object) -> Value:
    """Convert the output of `asdict` and `json`; unknown fields are ignored, texts aren't checked."""
    found: Value = _Reader(strict=False, plain=True).read(kind, content, "")
    return found


def json_object(content: str | bytes) -> dict[str, Json]:
    """Parse an untrusted text; empty unless it is a JSON object."""
    try:
        found = json_reader.parse(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def dumps(kind: Kind, value: Json) -> str:
    return json.dumps(write(kind, value))


def dumps_strict(data: Json, indent: int | None = None) -> str:
    """Return strict JSON for other programs: a number that isn't finite becomes null."""
    return json.dumps(_finite(data), indent=indent, ensure_ascii=False, allow_nan=False)


def _finite(data: Json) -> Json:
    match data:
        case dict():
            return {key: _finite(value) for key, value in data.items()}
        case list() | tuple():
            return [_finite(value) for value in data]
        case float():
            return data if math.isfinite(data) else None
    return data


def loads(kind: type[Value], content: str) -> Value:
    return recall(kind, json_reader.own(content))


def _write_fields(kind: Kind, value: Json) -> dict[str, Json]:
    hints = _hints(value.__class__)
    tag = {"kind": KINDS[type(value)]} if len(_classes(kind)) > 1 else {}
    later = _later(value.__class__)
    values = {name: getattr(value, name) for name in hints}
    return tag | {n: write(hints[n], each) for n, each in values.items() if n not in later or each != later[n]}


def _number(value: float) -> float | str:
    value = float(value)
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


class _Reader:
    """Converter from JSON to declared types. `strict`: unknown fields are refused, since they would be lost.

    `plain`: strings aren't read as numbers, texts aren't checked, and Python's NaN is allowed.
    """

    def __init__(self, strict: bool, plain: bool = False) -> None:
        self._strict, self._plain = strict, plain

    def read(self, kind: Kind, content: object, path: str) -> Json:
        choices = _choices(kind)
        if content is None and type(None) in choices:
            return None
        classes = _classes(kind)
        if len(classes) > 1:
            tagged = _class_of(classes, content, path)
            return self._read_fields(tagged, content, path, also="kind")
        if classes:
            return self._read_fields(classes[0], content, path)
        if Alternative in choices:
            return Alternative(*self._read_items(tuple(get_type_hints(Alternative).values()), content, path))
        if _origin(choices[0]) is Sequence:
            return TopTokens.of(self._read_items(tuple[Alternative, ...], content, path))
        if _origin(choices[0]) is tuple:
            return self._read_items(choices[0], content, path)
        return self._read_simple(choices, content, path)

    def _read_simple(self, choices: tuple[Kind, ...], content: object, path: str) -> Json:
        if isinstance(content, bool) or content is None:
            return content if type(content) in choices else _refuse(path, content, choices)
        if isinstance(content, str):
            return self._read_word(choices, content, path)
        if isinstance(content, int):
            if self._strict and abs(content) > LARGEST_SAID:
                raise InvalidJsonError(tr("the number at {place} is too large").format(place=path))
            return (
                content if int in choices else float(content) if float in choices else _refuse(path, content, choices)
            )
        if isinstance(content, float) and float in choices and (self._plain or math.isfinite(content)):
            return content
        return _refuse(path, content, choices)

    def _read_word(self, choices: tuple[Kind, ...], content: str, path: str) -> Json:
        if not self._plain and clean(content) is not content:
            raise InvalidJsonError(tr("{place} has an unpaired surrogate").format(place=path))
        if str in choices:
            return content
        if float in choices and content in NON_FINITE and not self._plain:
            return NON_FINITE[content]
        try:
            if bytes in choices:
                return bytes.fromhex(content)
            if isinstance(choices[0], type) and issubclass(choices[0], StrEnum):
                return choices[0](content)
        except ValueError:
            pass
        return _refuse(path, content, choices)

    def _read_items(self, kind: Kind, content: object, path: str) -> tuple[Any, ...]:
        if not isinstance(content, list):
            raise InvalidJsonError(tr("{place} is not a list").format(place=path))
        if kind == WHOLE_NUMBERS and _are_whole_numbers(content):
            return tuple(content)
        kinds = kind if isinstance(kind, tuple) else _item_kinds(kind, len(content))
        if len(kinds) != len(content):
            words = tr("{place} has {count} items, not {wanted}")
            raise InvalidJsonError(words.format(place=path, count=len(content), wanted=len(kinds)))
        return tuple(
            [self.read(kind, item, f"{path}[{at}]") for at, (kind, item) in enumerate(zip(kinds, content, strict=True))]
        )

    def _read_fields(self, kind: Kind, content: object, path: str, also: str = "") -> Json:
        """Convert an object; missing fields get defaults, unknown ones are refused if `strict`."""
        if not isinstance(content, Mapping):
            raise InvalidJsonError(tr("{place} is not an object").format(place=path or tr("this")))
        hints = _hints(kind)
        for name in content:
            if self._strict and name not in hints and name != also:
                raise InvalidJsonError(tr("{place} is unknown").format(place=_inner(path, _short(name))))
        fields = {
            name: self.read(hint, content[name], _inner(path, name)) for name, hint in hints.items() if name in content
        }
        for field in dataclasses.fields(kind):
            needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
            if needed and field.name not in fields:
                raise InvalidJsonError(tr("{place} is missing").format(place=_inner(path, field.name)))
        return kind(**fields)


def _are_whole_numbers(content: list[Any]) -> bool:
    return set(map(type, content)) == {int} and -LARGEST <= min(content) <= max(content) <= LARGEST


def _class_of(classes: tuple[Kind, ...], content: object, path: str) -> Kind:
    tag = content.get("kind") if isinstance(content, Mapping) else None
    for known in classes:
        if KINDS[known] == tag:
            return known
    words = tr("{place} is not one of {choices}")
    raise InvalidJsonError(words.format(place=_inner(path, "kind"), choices=", ".join(KINDS.values())))


def _refuse(path: str, content: object, choices: tuple[Kind, ...]) -> Json:
    names = [tr("nothing") if choice is type(None) else choice.__name__ for choice in choices]
    wanted = reduce(lambda one, other: tr("{one} or {other}").format(one=one, other=other), names)
    raise InvalidJsonError(
        tr("{place} is {said}; expected {wanted}").format(place=path, said=_short(content), wanted=wanted)
    )


def _short(content: object) -> str:
    text = clean(str(content))
    return f"“{text[:40]}…”" if len(text) > 40 else f"“{text}”"


def _inner(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


@lru_cache(maxsize=64)
def _hints(kind: Kind) -> dict[str, Json]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


@lru_cache(maxsize=64)
def _later(kind: Kind) -> dict[str, Json]:
    """Return fields that were added later, with their defaults, which aren't written to JSON."""
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
