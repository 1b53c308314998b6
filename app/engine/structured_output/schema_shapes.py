"""A JSON schema as possible shapes of a value, with references and alternatives resolved."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.files.json_reader import Json

Shape = Mapping[str, Any]
MOST_SHAPES = 32
"""Maximum number of alternatives that are followed; the others are ignored."""
STEPS = 200
"""Maximum number of references, parts and alternatives for one value, since they can be circular."""
WORK = 200_000
"""Maximum number of merged keys for one schema. Ordinary schemas need some thousands."""
LARGEST_WHOLE = 2.0**53
PARTS: dict[str, type] = {"$ref": str, "allOf": list, "anyOf": list, "oneOf": list}
"""Keywords that combine other schemas."""
STARTS = {"{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null"}


class SchemaResolver:
    """Resolves the schemas of values in one JSON schema, with a cache."""

    def __init__(self, schema: Json) -> None:
        self._root = schema
        self._left = WORK
        self._known: dict[int, tuple[Json, tuple[Shape, ...]]] = {}
        self.root = self.of(schema)

    def of(self, schema: Json) -> tuple[Shape, ...]:
        """Return shapes without `$ref`, `allOf`, `anyOf` and `oneOf`; empty if no value is possible."""
        if id(schema) not in self._known:
            self._known[id(schema)] = schema, tuple(self._expand(schema))
        return self._known[id(schema)][1]

    def item(self, shapes: Sequence[Shape], position: int) -> tuple[Shape, ...]:
        return self._merged_shapes([_item(shape, position) for shape in shapes])

    def value(self, shapes: Sequence[Shape], key: str) -> tuple[Shape, ...]:
        return self._merged_shapes([_value(shape, key) for shape in shapes])

    def has(self, shape: Shape, key: str, value: Json) -> bool:
        """Return whether a value is possible for a key, without checking lists and objects."""
        return any(_could_be(each, value) for each in self.value([shape], key))

    def in_order(self, value: Json, shapes: Sequence[Shape]) -> Json:
        """Return the value with its keys in the schema's order and numbers in their shortest form."""
        if isinstance(value, list):
            return [self.in_order(each, self.item(shapes, position)) for position, each in enumerate(value)]
        if isinstance(value, dict):
            could = [each for each in shapes if all(has_key(each, key) for key in value)] or [{}]
            could = [each for each in could if not required_left(each, value)] or could
            could = [each for each in could if all(self.has(each, *item) for item in value.items())] or could
            keys = [key for key in (*_properties(could[0]), *_required(could[0])) if key in value]
            return {key: self.in_order(value[key], self.value(could, key)) for key in dict.fromkeys((*keys, *value))}
        whole = isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_WHOLE
        return int(value) if whole else value

    def _merged_shapes(self, schemas: Sequence[Json]) -> tuple[Shape, ...]:
        found = [shape for schema in schemas for shape in self.of(schema)]
        return tuple({id(shape): shape for shape in found}.values())[:MOST_SHAPES]

    def _expand(self, schema: Json) -> list[Shape]:
        found: list[Shape] = []
        waiting: list[tuple[Json, ...]] = [(schema,)]  # merged later, if they are reached
        steps = 0
        while waiting and len(found) < MOST_SHAPES and steps < STEPS:
            (part, *others), steps = waiting.pop(), steps + 1
            part = _merge(part, *others) if others and self._left >= 0 else part
            if not isinstance(part, dict) or self._left < 0:
                found += [{}] if part is True or isinstance(part, dict) else []
                continue
            self._left -= len(_properties(part)) + len(required_keys(part))
            name = next((each for each in PARTS if isinstance(part.get(each), PARTS[each])), "")
            if not name:
                found += map(_constant_shape, (values_of(part) or ())[:MOST_SHAPES]) if _is_nested(part) else [part]
            elif name == "$ref":
                waiting.append(({**part, name: None}, self._resolve_reference(part)))
            elif name == "allOf":
                waiting.append(({**part, name: None}, *map(self._resolve_reference, part[name][:MOST_SHAPES])))
            else:
                waiting += [({**part, name: None}, each) for each in reversed(part[name][:MOST_SHAPES])]
        return found

    def _resolve_reference(self, schema: Json) -> Json:
        """Resolve a reference by path in the same schema; other references allow anything."""
        reference, at = schema.get("$ref") if isinstance(schema, dict) else None, self._root
        if not isinstance(reference, str):
            return schema
        if not reference.startswith("#"):
            return True
        for name in filter(None, reference[1:].split("/")):
            name = name.replace("~1", "/").replace("~0", "~")
            if isinstance(at, list) and name.isdecimal() and len(name) < 6 and int(name) < len(at):
                at = at[int(name)]
            elif isinstance(at, dict) and name in at:
                at = at[name]
            else:
                return True
        return at


def keys_left(shape: Shape, written: Mapping[str, object], last: str) -> tuple[str, ...]:
    """Return the named keys that can come next, in the schema's order, up to the first required one."""
    left, required = later_keys(shape, written, last), required_keys(shape)
    stop = next((position + 1 for position, key in enumerate(left) if key in required), len(left))
    return left[:stop]


def later_keys(shape: Shape, written: Mapping[str, object], last: str) -> tuple[str, ...]:
    """Return all named keys that can still come; required ones without a schema last."""
    order = dict.fromkeys((*_properties(shape), *required_keys(shape)))
    names = tuple(order)
    start = names.index(last) + 1 if last in order else 0 if not written else len(names)
    return tuple(key for key in names[start:] if key not in written)


def required_left(shape: Shape, written: Mapping[str, object]) -> bool:
    few = len(written) < number_in(shape, "minProperties", 0)
    return few or any(key not in written for key in _required(shape))


def may_have_others(shape: Shape) -> bool:
    return shape.get("additionalProperties") is not False or bool(shape.get("patternProperties"))


def has_key(shape: Shape, key: str) -> bool:
    return key in _properties(shape) or may_have_others(shape)


def fits_start(shape: Shape, sign: str) -> bool:
    """Return whether a value with this first character can have the shape."""
    kind, values = STARTS.get(sign, "number"), values_of(shape)
    if values is not None:
        return any(kind_of(value) == kind for value in values)
    return _takes(shape, kind)


def types_of(shape: Shape) -> tuple[str, ...]:
    said = shape.get("type")
    return tuple(each for each in (said if isinstance(said, list) else (said,)) if isinstance(each, str))


def kind_of(value: Json) -> str:
    """Return the schema's name of a value's type."""
    kinds = {bool: "boolean", str: "string", dict: "object", list: "array", type(None): "null"}
    return kinds.get(type(value), "number")


def _could_be(shape: Shape, value: Json) -> bool:
    values = values_of(shape)
    return len(values) > STEPS or value in values if values is not None else _takes(shape, kind_of(value))


def _takes(shape: Shape, kind: str) -> bool:
    return not (types := types_of(shape)) or kind in types or (kind == "number" and "integer" in types)


def values_of(shape: Shape) -> Sequence[Json] | None:
    if "const" in shape:
        return [shape["const"]]
    found = shape.get("enum")
    return found if isinstance(found, list) else None


def _is_nested(shape: Shape) -> bool:
    return any(isinstance(value, list | dict) for value in values_of(shape) or ())


def _constant_shape(value: Json) -> Shape:
    if isinstance(value, list):
        items, count = [{"const": each} for each in value], len(value)
        return {"type": "array", "prefixItems": items, "items": False, "minItems": count, "maxItems": count}
    if isinstance(value, dict):
        keys = {key: {"const": each} for key, each in value.items()}
        return {"type": "object", "properties": keys, "required": [*keys], "additionalProperties": False}
    return {"const": value}


def _item(shape: Shape, position: int) -> Json:
    first, rest = shape.get("prefixItems", shape.get("items")), shape.get("items", True)
    if not isinstance(first, list):
        return rest
    if position < len(first):
        return first[position]
    return rest if "prefixItems" in shape else shape.get("additionalItems", True)


def _value(shape: Shape, key: str) -> Json:
    """Return the schema of a key; unknown if patterns apply."""
    others = True if shape.get("patternProperties") else shape.get("additionalProperties", True)
    return _properties(shape).get(key, others)


def _properties(shape: Shape) -> Mapping[str, Json]:
    found = shape.get("properties")
    return found if isinstance(found, dict) else {}


def required_keys(shape: Shape) -> dict[str, None]:
    return dict.fromkeys(_required(shape))


def _required(shape: Shape) -> Iterator[str]:
    found = shape.get("required")
    return (each for each in found if isinstance(each, str)) if isinstance(found, list) else iter(())


def number_in(shape: Shape, name: str, usual: float) -> float:
    """Return the number of a keyword; `usual` if it has none."""
    found = shape.get(name)
    return found if isinstance(found, int | float) else usual


def _merge(*schemas: Json) -> Json:
    """Merge schemas; for conflicting keywords, the last one counts."""
    made: dict[str, Json] = {}
    for schema in schemas:
        if schema is False:
            return False
        if isinstance(schema, dict):
            both: dict[str, Json] = {"properties": {**_properties(made), **_properties(schema)}}
            both["required"] = [*(required_keys(made) | required_keys(schema))]
            made |= schema | {name: value for name, value in both.items() if value}
    return made
