"""Describes which text an output format allows next, and the answer so far as a tree."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from app.engine.structured_output.json_walk import KEPT, LONGEST, NUMBER, JsonNode, JsonPosition, JsonWalk, read
from app.engine.structured_output.schema_shapes import (
    Shape,
    keys_left,
    later_keys,
    may_have_others,
    number_in,
    required_keys,
    required_left,
    types_of,
    values_of,
)
from app.i18n import tr

MANY = 1 << 30
FEW = 4
"""Maximum number of alternatives in a sentence."""
SIDE_BY_SIDE = 8
"""Maximum number of keys or items of one object or list: the last ones and the next ones."""
HERE, ELSEWHERE = "▸ ", "  "
MOST_LINES, ROOM, DEEPEST = 200, 16, 8
TYPES = {
    "string": tr("text"),
    "number": tr("a number"),
    "integer": tr("a whole number"),
    "boolean": tr("true or false"),
    "null": "null",
    "array": tr("a list"),
    "object": tr("an object"),
}
LIMITS = {
    "minimum": tr("at least {limit}"),
    "maximum": tr("at most {limit}"),
    "exclusiveMinimum": tr("above {limit}"),
    "exclusiveMaximum": tr("below {limit}"),
    "multipleOf": tr("a multiple of {limit}"),
    "minLength": tr("at least {limit} characters"),
    "maxLength": tr("at most {limit} characters"),
    "pattern": tr("matching {limit}"),
    "format": tr("in the format {limit}"),
    "minItems": tr("at least {limit} items"),
    "maxItems": tr("at most {limit} items"),
}


def expected(walk: JsonWalk) -> str:
    """Return a description of the text that the schema allows next; empty if unknown."""
    inside = walk.path[-1] if walk.path else None
    match walk.spot:
        case JsonPosition.LOST:
            return ""
        case JsonPosition.OVER:
            return tr("nothing more: the answer is complete")
        case JsonPosition.COLON:
            return tr("the colon after {key}").format(key=quoted(walk.key))
        case JsonPosition.IN_KEY if inside is not None:
            named = not any(map(may_have_others, inside.shapes))
            return _rest_of(_next_keys(inside), walk.piece) if named else tr("the rest of a key")
        case JsonPosition.IN_TEXT if (values := _allowed_strings(walk.here)) is not None:
            return _rest_of(values, walk.piece)
        case JsonPosition.KEY | JsonPosition.FIRST_KEY if inside is not None:
            return _describe_keys(inside, walk.spot is JsonPosition.FIRST_KEY)
        case JsonPosition.BEHIND if inside is not None and not inside.array:
            return _describe_keys(inside, ends=True)
        case JsonPosition.BEHIND | JsonPosition.ITEM if inside is not None:
            return _describe_items(inside, _describe_shapes(walk.here))
    return _describe_value(walk, _describe_shapes(walk.here))


def tree(walk: JsonWalk) -> str:
    """Return the answer so far, one line for each key and item, limited around the current position."""
    found = [*islice(_node_lines(walk.root, walk, 0), MOST_LINES)]
    here = next((index for index, line in enumerate(found) if line.startswith(HERE)), len(found))
    start = max(0, min(here - ROOM // 2, len(found) - ROOM))
    return "\n".join(found[start : start + ROOM])


def _describe_value(walk: JsonWalk, what: str) -> str:
    begun = walk.spot in (JsonPosition.IN_TEXT, JsonPosition.IN_WORD)
    if not walk.path:
        return what
    where = quoted(walk.key)
    if walk.path[-1].array:
        where = tr("item {number}").format(number=len(walk.path[-1].children) + (not begun))
    if begun and (longest := _reached_length(walk)):
        return tr("the closing quote: {where} has the maximum of {count} characters").format(where=where, count=longest)
    words = tr("the rest of {where}, {what}") if begun else tr("{what} for {where}")
    if walk.spot is JsonPosition.IN_WORD and NUMBER.fullmatch(walk.piece):
        words = tr("more of {where}, {what}, or the text after it")
    return words.format(what=what, where=where)


def _reached_length(walk: JsonWalk) -> float:
    """Return the length of the current string if it has its maximum length, else 0."""
    longest = max((number_in(shape, "maxLength", LONGEST) for shape in walk.here), default=LONGEST)
    said = read(f'"{walk.piece}"') if walk.spot is JsonPosition.IN_TEXT and len(walk.piece) >= longest else None
    return longest if isinstance(said, str) and len(said) >= longest else 0


def _describe_shapes(shapes: Sequence[Shape]) -> str:
    return listed(dict.fromkeys(_describe_shape(shape) for shape in shapes)) if shapes else tr("no value")


def _describe_shape(shape: Shape) -> str:
    if (values := values_of(shape)) is not None:
        return listed(map(_json_text, values))
    types = listed(TYPES[each] for each in types_of(shape) if each in TYPES) or tr("any value")
    limits = [words.format(limit=_json_text(shape[name])) for name, words in LIMITS.items() if name in shape]
    return f"{types} ({', '.join(limits)})" if limits else types


def _allowed_strings(shapes: Sequence[Shape]) -> list[str] | None:
    """Return the only strings that the shapes allow; None if they allow other values."""
    values = [values_of(shape) for shape in shapes]
    if not values or None in values:
        return None
    return [each for several in values if several is not None for each in several if isinstance(each, str)]


def _rest_of(texts: Iterable[str], begun: str) -> str:
    left = [each for each in texts if json.dumps(each, ensure_ascii=False).startswith(f'"{begun}')]
    return tr("the rest of {values}").format(values=listed(map(quoted, left)))


def _describe_keys(inside: JsonNode, ends: bool) -> str:
    keys, written = _next_keys(inside), inside.children
    ways = [tr("the key {key}").format(key=listed(map(quoted, keys)))] if keys else []
    lacks = [required_left(shape, written) for shape in inside.shapes]
    others = [
        may_have_others(shape) and len(written) < number_in(shape, "maxProperties", MANY) for shape in inside.shapes
    ]
    if any(others) and not (keys and any(lacks)):
        ways.append(tr("a key with another name"))
    if ends and not all(lacks):
        ways.append(tr("the end of the object") if ways else tr("the end of the object: no further key is allowed"))
    return listed(ways)


def _next_keys(inside: JsonNode) -> list[str]:
    found = (key for shape in inside.shapes for key in keys_left(shape, inside.children, inside.last))
    return [*dict.fromkeys(found)]


def _describe_items(inside: JsonNode, what: str) -> str:
    count, shapes = len(inside.children), inside.shapes
    more = any(count < number_in(shape, "maxItems", MANY) for shape in shapes) and what != tr("no value")
    where = tr("item {number}").format(number=count + 1)
    ways = [tr("{what} for {where}").format(what=what, where=where)] if more else []
    if any(count >= number_in(shape, "minItems", 0) for shape in shapes):
        ways.append(tr("the end of the list") if more else tr("the end of the list: no further item is allowed"))
    return listed(ways)


def _node_lines(node: JsonNode, walk: JsonWalk, depth: int) -> Iterator[str]:
    yield _line(depth, *_name_and_value(node), here=node is _current_node(walk))
    children = [*node.children.values()] if depth < DEEPEST else []
    if len(children) > SIDE_BY_SIDE:
        yield _more_line(depth + 1, len(children) - SIDE_BY_SIDE)
    for child in children[-SIDE_BY_SIDE:]:
        yield from _node_lines(child, walk, depth + 1)
    if node in walk.path[:DEEPEST] and not node.array:
        yield from _missing_key_lines(node, walk, depth + 1)


def _current_node(walk: JsonWalk) -> JsonNode | None:
    """Return the node of the current value; None between values."""
    if walk.spot in (JsonPosition.COLON, JsonPosition.OVER) or (
        walk.spot is JsonPosition.VALUE and walk.path and not walk.path[-1].array
    ):
        return None
    return walk.value if walk.spot in (JsonPosition.IN_TEXT, JsonPosition.IN_WORD) or not walk.path else walk.path[-1]


def _missing_key_lines(node: JsonNode, walk: JsonWalk, depth: int) -> Iterator[str]:
    """Yield a line for each key that can still come."""
    shape = next(iter(node.shapes), {})
    coming = {walk.key: None} if walk.spot in (JsonPosition.COLON, JsonPosition.VALUE) and node is walk.path[-1] else {}
    left = [*{**coming, **dict.fromkeys(later_keys(shape, node.children, node.last))}]
    asked = required_keys(shape)
    for key in left[:SIDE_BY_SIDE]:
        yield _line(depth, _shorten(key), tr("required") if key in asked else tr("optional"), here=key in coming)
    if len(left) > SIDE_BY_SIDE:
        yield _more_line(depth, len(left) - SIDE_BY_SIDE)


def _line(depth: int, name: str, value: str, here: bool = False) -> str:
    return f"{HERE if here else ELSEWHERE}{'  ' * depth}{name}: {value}"


def _more_line(depth: int, count: int) -> str:
    return _line(depth, "…", tr("%n more", "%n more", count))


def _name_and_value(node: JsonNode) -> tuple[str, str]:
    name = f"[{int(node.name) + 1}]" if node.item else _shorten(node.name) if node.depth else tr("answer")
    if node.array is None:
        return name, _shorten(node.text)
    count = len(node.children)
    return name, tr("%n items", "%n item", count) if node.array else tr("%n keys", "%n key", count)


def listed(words: Iterable[str]) -> str:
    """Join the first few texts with “or”."""
    each = [*words]
    shown = [*each[:FEW], "…"] if len(each) > FEW else each
    if len(shown) < 2:
        return "".join(shown)
    return tr("{several} or {last}").format(several=", ".join(shown[:-1]), last=shown[-1])


def quoted(key: str) -> str:
    return f"“{_shorten(key)}”"


def _shorten(text: str) -> str:
    return text if len(text) <= KEPT // 2 else f"{text[: KEPT // 2]}…"


def _json_text(value: object) -> str:
    return _shorten(json.dumps(value, ensure_ascii=False))
