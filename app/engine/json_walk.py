"""Follows a text in JSON while it grows: what is filled by now, and at what it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from app import json_reader
from app.engine.schema_shapes import Shape, Shapes, fits_start, has_key, values_of
from app.json_reader import Json

LONGEST = 1 << 17
"""Characters of an answer; a longer one is not followed."""
DEEPEST = 200
KEPT = 80
"""Characters of a value, for whoever shows it."""
BLANKS = re.compile(r"[ \t\r\n]*")
IN_TEXT = re.compile(r'[^"\\]*')
WHOLE = ("true", "false", "null")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
IN_WORD = re.compile(r"[-+.0-9A-Za-z]*")


class Spot(Enum):
    """At what a text in JSON stands."""

    VALUE = "a value is to come"
    ITEM = "an item, or the end of the list"
    KEY = "a key"
    FIRST_KEY = "a key, or the end of the object"
    COLON = "a colon"
    IN_KEY = "inside a key"
    IN_TEXT = "inside a text"
    IN_WORD = "inside a number or a name"
    BEHIND = "behind a value"
    OVER = "all is said"
    LOST = "no JSON, or too much of it"


@dataclass(slots=True, eq=False)
class Node:
    """A value of the text. `shapes`: what it may be, none where it goes by no schema."""

    name: str
    shapes: tuple[Shape, ...]
    depth: int
    item: bool = False
    """Of a list."""
    text: str = ""
    """Of a value that is no list and no object: as it is written."""
    array: bool | None = None
    """None: neither a list nor an object."""
    children: dict[str, Node] = field(default_factory=dict)
    whole: bool = False

    @property
    def last(self) -> str:
        return next(reversed(self.children), "")


class Walk:
    """Give it the text piece by piece; it looks at each character once."""

    def __init__(self, schema: Json) -> None:
        self._shapes = Shapes(schema)
        self._length = 0
        self._escaped = False
        self.root = Node("", self._shapes.root, 0)
        self.path: list[Node] = []
        """The lists and objects that are open, from the outside."""
        self.spot = Spot.VALUE
        self._parts: list[str] = []
        self.key = ""
        """Under which the next value will stand."""

    def feed(self, text: str) -> None:
        self._length += len(text)
        if self._length > LONGEST:
            self.spot = Spot.LOST
        at = 0
        while at < len(text) and self.spot is not Spot.LOST:
            at = self._step(text, at)

    @property
    def piece(self) -> str:
        """What is written of the key, text, number or name that it stands in, without the first quote."""
        return "".join(self._parts)

    @property
    def here(self) -> tuple[Shape, ...]:
        """What the value may be that comes, or that it stands in."""
        if self.spot in (Spot.IN_TEXT, Spot.IN_WORD):
            return self.value.shapes
        if not self.path:
            return self.root.shapes
        inside = self.path[-1]
        if inside.array:
            return self._shapes.item(inside.shapes, len(inside.children))
        return self._shapes.value(inside.shapes, self.key)

    @property
    def value(self) -> Node:
        """The newest one."""
        return self.path[-1].children[self.path[-1].last] if self.path else self.root

    def _step(self, text: str, at: int) -> int:
        if self.spot in (Spot.IN_KEY, Spot.IN_TEXT):
            return self._go_on_text(text, at)
        if self.spot is Spot.IN_WORD:
            end = _end(IN_WORD, text, at)
            self._write(text[at:end])
            if end < len(text) or self.piece in WHOLE:
                self._close_word()
            return end
        at = _end(BLANKS, text, at)
        if at < len(text):
            self._take(text[at])
        return at + 1

    def _go_on_text(self, text: str, at: int) -> int:
        if self._escaped:
            self._write(text[at])
            self._escaped = False
            return at + 1
        end = _end(IN_TEXT, text, at)
        self._write(text[at:end])
        if end == len(text):
            return end
        self._escaped = text[end] == "\\"
        if self._escaped:
            self._write("\\")
        else:
            self._close_text()
        return end + 1

    def _write(self, text: str) -> None:
        self._parts.append(text)
        if self.spot is not Spot.IN_KEY and len(self.value.text) <= KEPT:
            self.value.text += text[: KEPT + 1]

    def _take(self, sign: str) -> None:
        """A sign outside of texts, numbers and names."""
        inside = self.path[-1] if self.path else None
        closing = inside is not None and sign == ("]" if inside.array else "}")
        match self.spot:
            case Spot.ITEM | Spot.FIRST_KEY | Spot.BEHIND if closing:
                self._close(self.path.pop())
            case Spot.VALUE | Spot.ITEM:
                self._begin(sign)
            case Spot.KEY | Spot.FIRST_KEY if sign == '"':
                self.spot = Spot.IN_KEY
                self._parts.clear()
            case Spot.COLON if sign == ":":
                self.spot = Spot.VALUE
            case Spot.BEHIND if sign == "," and inside is not None:
                self.spot = Spot.VALUE if inside.array else Spot.KEY
            case _:
                self.spot = Spot.LOST

    def _begin(self, sign: str) -> None:
        """A value, which tells by its first sign what it is."""
        shapes = _narrowed(self.here, sign)
        if len(self.path) >= DEEPEST or sign not in '{["-0123456789tfn':
            self.spot = Spot.LOST
            return
        if not self.path:
            node = self.root
        else:
            inside = self.path[-1]
            name = str(len(inside.children)) if inside.array else self.key
            node = inside.children[name] = Node(name, shapes, len(self.path), bool(inside.array))
        node.shapes = shapes
        self._parts.clear()
        if sign in "{[":
            node.array = sign == "["
            self.path.append(node)
            self.spot = Spot.ITEM if node.array else Spot.FIRST_KEY
        elif sign == '"':
            self.spot, node.text = Spot.IN_TEXT, sign
        else:
            self.spot = Spot.IN_WORD
            self._write(sign)

    def _close_text(self) -> None:
        if self.spot is not Spot.IN_KEY:
            self.value.text += '"'
            self._settle(f'"{self.piece}"')
            return
        said = read(f'"{self.piece}"') if "\\" in self.piece else self.piece
        if isinstance(said, str):
            self.key, self.spot = said, Spot.COLON
            inside = self.path[-1]
            inside.shapes = tuple(each for each in inside.shapes if has_key(each, said)) or inside.shapes
        else:
            self.spot = Spot.LOST

    def _close_word(self) -> None:
        if self.piece in WHOLE or is_number(self.piece):
            self._settle(self.piece)
        else:
            self.spot = Spot.LOST

    def _settle(self, written: str) -> None:
        """Shapes of the object that have another value under this key are out."""
        inside = self.path[-1] if self.path else None
        if inside is not None and not inside.array and len(inside.shapes) > 1:
            said = read(written)
            could = [each for each in inside.shapes if _could_be(self._shapes.value([each], self.key), said)]
            inside.shapes = tuple(could) or inside.shapes
        self._close(self.value)

    def _close(self, node: Node) -> None:
        node.whole = True
        self.spot = Spot.BEHIND if self.path else Spot.OVER


def _narrowed(shapes: Sequence[Shape], sign: str) -> tuple[Shape, ...]:
    """Those that a value with this beginning can have."""
    return tuple(shape for shape in shapes if fits_start(shape, sign)) or tuple(shapes)


def _could_be(shapes: Sequence[Shape], said: Json) -> bool:
    return any((values := values_of(shape)) is None or said in values for shape in shapes)


def read(text: str) -> Json:
    """None for what is no JSON."""
    try:
        return json_reader.parse(text)
    except ValueError:
        return None


def is_number(text: str) -> bool:
    return NUMBER.fullmatch(text) is not None


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found is not None else at
