"""An independent JSON schema validator for the enforced keywords, and generated bounded schemas."""

import random
import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}
UNKNOWN = ('"$ref"', '"$anchor"', '"$id"', '"format"', "\\\\p{")
"""Keywords that this validator doesn't support."""


def faults(value: Any, schema: Any) -> Iterator[str]:
    """Return the keywords that a value violates."""
    if isinstance(schema, bool):
        yield from () if schema else ["false"]
        return
    for keyword, asked in schema.items():
        if not _holds(keyword, value, asked, schema):
            yield keyword


def _holds(keyword: str, value: Any, asked: Any, schema: Any) -> bool:
    match keyword:
        case "type":
            return any(_is(value, kind) for kind in ([asked] if isinstance(asked, str) else asked))
        case "enum":
            return any(_same(value, each) for each in asked)
        case "const":
            return _same(value, asked)
        case "allOf":
            return all(not [*faults(value, each)] for each in asked)
        case "anyOf":
            return any(not [*faults(value, each)] for each in asked)
        case "oneOf":
            return sum(not [*faults(value, each)] for each in asked) == 1
    if isinstance(value, str):
        return _text_holds(keyword, value, asked)
    if isinstance(value, list):
        return _list_holds(keyword, value, asked, schema)
    if isinstance(value, dict):
        return _object_holds(keyword, value, asked, schema)
    return _number_holds(keyword, value, asked) if _is(value, "number") else True


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, TYPES[kind])


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    return bool(one == other)


def _text_holds(keyword: str, value: str, asked: Any) -> bool:
    match keyword:
        case "minLength":
            return len(value) >= int(asked)
        case "maxLength":
            return len(value) <= int(asked)
        case "pattern":
            return re.search(asked, value) is not None
    return True


def _number_holds(keyword: str, value: float, asked: Any) -> bool:
    match keyword:
        case "minimum":
            return bool(value >= asked)
        case "maximum":
            return bool(value <= asked)
        case "exclusiveMinimum":
            return bool(value > asked)
        case "exclusiveMaximum":
            return bool(value < asked)
        case "multipleOf":
            return float(value / asked).is_integer()
    return True


def _list_holds(keyword: str, value: list[Any], asked: Any, schema: Any) -> bool:
    match keyword:
        case "minItems":
            return len(value) >= int(asked)
        case "maxItems":
            return len(value) <= int(asked)
        case "prefixItems":
            return all(not [*faults(item, each)] for item, each in zip(value, asked, strict=False))
        case "items":
            return all(not [*faults(item, asked)] for item in value[len(schema.get("prefixItems", ())) :])
    return True


def _object_holds(keyword: str, value: dict[str, Any], asked: Any, schema: Any) -> bool:
    match keyword:
        case "minProperties":
            return len(value) >= int(asked)
        case "maxProperties":
            return len(value) <= int(asked)
        case "required":
            return all(name in value for name in asked)
        case "properties":
            return all(not [*faults(value[name], each)] for name, each in asked.items() if name in value)
        case "patternProperties":
            pairs = [(name, each) for name in value for pattern, each in asked.items() if re.search(pattern, name)]
            return all(not [*faults(value[name], each)] for name, each in pairs)
        case "additionalProperties":
            patterns = schema.get("patternProperties", {})
            others = [name for name in value if name not in schema.get("properties", {})]
            others = [name for name in others if not any(re.search(pattern, name) for pattern in patterns)]
            return all(not [*faults(value[name], asked)] for name in others)
    return True


def bounded(number: int) -> dict[str, Any]:
    """Return schema `number`, always the same, with answers of at most some dozens of tokens."""
    return _object(random.Random(number), depth=2)


def _object(chance: random.Random, depth: int) -> dict[str, Any]:
    names = chance.sample(["name", "age", "kind", "tags", "size", "note", "ok"], chance.randint(1, 3))
    required = [name for name in names if chance.random() < 0.7]
    properties = {name: _value(chance, depth - 1) for name in names}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _value(chance: random.Random, depth: int) -> dict[str, Any]:
    low = chance.randint(-50, 50)
    kinds: list[dict[str, Any]] = [
        {"type": "string", "minLength": chance.randint(0, 2), "maxLength": chance.randint(3, 9)},
        {"type": "string", "pattern": chance.choice(["^[a-z]{2,5}$", "^[0-9]{3}-[0-9]{2}$", "^(red|green)$"])},
        {"type": "integer", "minimum": low, "maximum": low + chance.randint(0, 200)},
        {"type": "integer", "exclusiveMinimum": low, "exclusiveMaximum": low + 90, "multipleOf": chance.choice([2, 5])},
        {"enum": ["a", "b", 3, None, True]},
        {"const": chance.choice(["fox", 7, False])},
        {"type": ["boolean", "null"]},
        {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 9}, {"type": "string", "maxLength": 3}]},
    ]
    if depth > 0:
        items = _value(chance, depth - 1)
        kinds += [{"type": "array", "items": items, "minItems": 1, "maxItems": chance.randint(1, 3)}] * 3
        kinds += [_object(chance, depth)] * 3
    return chance.choice(kinds)
