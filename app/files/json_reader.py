"""Parsing of untrusted JSON, with limits on size, nesting, number of values and digits."""

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from app.i18n import tr

Json: TypeAlias = Any
"""Any JSON value."""
LARGEST_BYTES = 4_000_000
MAX_DEPTH = 64
MAX_VALUES = 8_000_000
MAX_LISTS = 2_000_000
"""Lists and objects: each takes about a hundred bytes, and Python's collector visits each of them."""
MAX_DIGITS = 100
"""The most digits of an integer; Python itself converts integers of up to 4,300 digits."""
STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\Z)', re.DOTALL)
"""A string, also one without an end. Possessive, since backtracking would make it quadratic."""


class InvalidJsonError(ValueError):
    """JSON that doesn't fit the expected type; the message names its path in the JSON and the problem."""


class JsonLimitError(InvalidJsonError):
    """JSON that exceeds a limit, but may be valid otherwise."""


class JsonLimits(NamedTuple):
    """Limits of a file. `only_once` refuses repeated names in an object, `finite` refuses NaN and Infinity."""

    largest: int = LARGEST_BYTES
    only_once: bool = False
    finite: bool = False
    most: int = MAX_VALUES
    lists: int = MAX_LISTS


USUAL = JsonLimits()


def parse(content: bytes | str, bounds: JsonLimits = USUAL) -> Json:
    """Parse JSON within limits; a ValueError's message says why it can't be read.

    Other threads can run meanwhile, because Python switches threads in `_int`, which is Python code.
    """
    content = content.encode() if isinstance(content, str) else content
    if len(content) > bounds.largest:
        raise JsonLimitError(tr("it is too large"))
    text = content.decode("utf-8-sig")
    lists = _count_lists(text, bounds)
    try:
        found = _decoder(bounds.only_once, bounds.finite).decode(text)
    except json.JSONDecodeError as error:
        raise InvalidJsonError(tr("it is not valid JSON at line {line}").format(line=error.lineno)) from None
    except RecursionError:
        raise JsonLimitError(tr("it is nested too deeply")) from None
    if lists > MAX_DEPTH and _is_deep(found):
        raise JsonLimitError(tr("it is nested too deeply"))
    return found


def read(file: BinaryIO, bounds: JsonLimits = USUAL) -> Json:
    """Parse a file. At most one byte more than the size limit is read."""
    return parse(file.read(bounds.largest + 1), bounds)


def own(content: str) -> Json:
    """Parse JSON that this program wrote, without limits, such as a column of the journal."""
    return json.loads(content)


def _count_lists(text: str, bounds: JsonLimits) -> int:
    """Count lists and objects; raise JsonLimitError above the limits. Brackets in strings count only below them."""
    lists = text.count("[") + text.count("{")
    if lists > bounds.lists or lists + text.count(",") > bounds.most:
        text = STRING.sub("", text)
        lists = text.count("[") + text.count("{")
        if lists > bounds.lists or lists + text.count(",") > bounds.most:
            raise JsonLimitError(tr("it has too many values"))
    return lists


def _is_deep(value: Json) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _items(outer) if isinstance(inner, dict | list)]
        if not level:
            return False
    return True


def _items(value: Json) -> Iterable[Json]:
    return value.values() if isinstance(value, dict) else value


@lru_cache(maxsize=4)
def _decoder(only_once: bool, finite: bool) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=_object if only_once else None,
        parse_constant=_refuse_constant if finite else None,
        parse_int=_int,
    )


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise InvalidJsonError(tr("an object has the same name twice"))
    return found


def _refuse_constant(word: str) -> float:
    raise InvalidJsonError(tr("{place} is not a number").format(place=word))


def _int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise JsonLimitError(tr("a number is too long"))
    return int(digits)
