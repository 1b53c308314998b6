"""Tracks the position in an incomplete JSON text: the values so far, and what the schema allows next."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from enum import Enum

from app.engine.structured_output.schema_shapes import SchemaResolver, Shape, fits_start, has_key
from app.files import json_reader
from app.files.json_reader import Json

LONGEST = 1 << 14
"""Maximum characters of an answer that is tracked."""
LASTS_S = 0.1
"""Maximum seconds; a schema that takes longer isn't tracked."""
DEEPEST = 200
KEPT = 80
"""Maximum characters of a value for display."""
PIECES = re.compile(r'[ \t\r\n]+|"(?:[^"\\]|\\.)*(?:(")|\\?\Z)|[-+.0-9A-Za-z]+|.', re.DOTALL)
WHOLE = ("true", "false", "null")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")


class JsonPosition(Enum):
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
class JsonNode:
    """A value in the text. `shapes` are its possible schemas, empty without a schema."""

    name: str
    shapes: tuple[Shape, ...]
    depth: int
    item: bool = False
    """Whether it is an item of a list."""
    text: str = ""
    """Text of a value that is neither a list nor an object."""
    array: bool | None = None
    """True for a list, False for an object, None for other values."""
    children: dict[str, JsonNode] = field(default_factory=dict)

    @property
    def last(self) -> str:
        return next(reversed(self.children), "")


class JsonWalk:
    def __init__(self, shapes: SchemaResolver, text: str) -> None:
        self._shapes = shapes
        self.root = JsonNode("", shapes.root, 0)
        self.path: list[JsonNode] = []
        """Open lists and objects, outermost first."""
        self.spot = JsonPosition.VALUE if len(text) <= LONGEST else JsonPosition.LOST
        self.piece = ""
        """Text so far of the current key, string, number or name, without the opening quote."""
        self.key = ""
        """Key of the next value."""
        ends = time.thread_time() + LASTS_S
        for found in PIECES.finditer(text):
            if self.spot is JsonPosition.LOST or time.thread_time() > ends:
                self.spot = JsonPosition.LOST
                break
            if not found[0].isspace():
                self._take(found[0], bool(found[1]) or (found.end() < len(text) and found[0][0] != '"'))

    @property
    def here(self) -> tuple[Shape, ...]:
        """Possible schemas of the current or next value."""
        if self.spot in (JsonPosition.IN_TEXT, JsonPosition.IN_WORD) or not self.path:
            return self.value.shapes
        inside = self.path[-1]
        if inside.array:
            return self._shapes.item(inside.shapes, len(inside.children))
        return self._shapes.value(inside.shapes, self.key)

    @property
    def value(self) -> JsonNode:
        return self.path[-1].children[self.path[-1].last] if self.path else self.root

    def _take(self, piece: str, whole: bool) -> None:
        inside = self.path[-1] if self.path else None
        closing = inside is not None and piece == ("]" if inside.array else "}")
        match self.spot:
            case JsonPosition.ITEM | JsonPosition.FIRST_KEY | JsonPosition.BEHIND if closing:
                self.path.pop()
                self._close()
            case JsonPosition.VALUE | JsonPosition.ITEM if piece[0] in '{["-0123456789tfn' and len(self.path) < DEEPEST:
                self._begin(piece, whole)
            case JsonPosition.KEY | JsonPosition.FIRST_KEY if piece[0] == '"':
                self._name(piece, whole)
            case JsonPosition.COLON if piece == ":":
                self.spot = JsonPosition.VALUE
            case JsonPosition.BEHIND if piece == "," and inside is not None:
                self.spot = JsonPosition.VALUE if inside.array else JsonPosition.KEY
            case _:
                self.spot = JsonPosition.LOST

    def _name(self, piece: str, whole: bool) -> None:
        said, inside = read(piece) if whole else None, self.path[-1]
        self.spot, self.piece = JsonPosition.COLON if whole else JsonPosition.IN_KEY, piece[1:]
        if isinstance(said, str):
            self.key = said
            inside.shapes = tuple(each for each in inside.shapes if has_key(each, said)) or inside.shapes
        elif whole:
            self.spot = JsonPosition.LOST

    def _begin(self, piece: str, whole: bool) -> None:
        """Begin a value; its first character determines its type."""
        shapes = tuple(shape for shape in self.here if fits_start(shape, piece[0])) or self.here
        node = self.root
        if self.path:
            inside = self.path[-1]
            name = str(len(inside.children)) if inside.array else self.key
            node = inside.children[name] = JsonNode(name, shapes, len(self.path), bool(inside.array))
        node.shapes = shapes
        if piece in "{[":
            node.array = piece == "["
            self.path.append(node)
            self.spot = JsonPosition.ITEM if node.array else JsonPosition.FIRST_KEY
            return
        node.text, self.piece = piece[: KEPT + 1], piece.removeprefix('"')
        text = piece[0] == '"'
        if not whole and piece not in WHOLE:
            self.spot = JsonPosition.IN_TEXT if text else JsonPosition.IN_WORD
        elif text or piece in WHOLE or NUMBER.fullmatch(piece):
            self._drop_conflicting(piece)
        else:
            self.spot = JsonPosition.LOST

    def _drop_conflicting(self, written: str) -> None:
        """Drop schemas of the object that allow only other values for this key."""
        inside = self.path[-1] if self.path else None
        if inside is not None and not inside.array and len(inside.shapes) > 1:
            said = read(written)
            could = [each for each in inside.shapes if self._shapes.has(each, self.key, said)]
            inside.shapes = tuple(could) or inside.shapes
        self._close()

    def _close(self) -> None:
        self.spot = JsonPosition.BEHIND if self.path else JsonPosition.OVER


def read(text: str) -> Json:
    """Parse a text and return its value; None if it isn't JSON."""
    try:
        return json_reader.parse(text)
    except ValueError:
        return None
