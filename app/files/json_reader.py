"""JSON that others may have written, read within limits: of bytes, of depth, of values, of digits.

It is read in pieces, between which other threads have their turn: Python's own reader holds the interpreter for seconds
where a file is large, and takes twenty times its size where it is nothing but brackets.
"""

import codecs
import io
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from app.i18n import tr

Json: TypeAlias = Any
"""What JSON can say."""
LARGEST_BYTES = 4_000_000
DEEPEST = 64
MOST_VALUES = 8_000_000
MOST_LISTS = 2_000_000
"""And objects: each takes up to a hundred bytes, and Python's collector looks at each again and again."""
FREED = 10_000
"""So many items are let go at one time, or that alone would hold the interpreter for a tenth of a second."""
LONGEST_NUMBER = 100
"""Characters; Python itself converts numbers of 4,300."""
LONGEST_TEXT = 16_000_000
"""Characters. Ten megabytes can be pasted, and what was said can be read again."""
PIECE = 1 << 15
"""Characters that are read at one go: a millisecond at the most, even of brackets alone."""
WORKS_S, RESTS_S = 0.004, 0.001
"""After so long others have the interpreter for a moment: a window asks for it again and again as it is painted."""
SHORT = 4_096
"""Bytes, such as those of an event of a stream: no part of that could take long, so it is read at one go."""
NOUGHT = re.compile(r"[ \t\n\r]*")
TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
OPENING = ("[", "{")
ENDS = (("},{", 1), ("}, {", 1), (",", 0))
"""Where an item of a list probably ends: the sign, and how much of it belongs to the item."""
BRACKETS = str.maketrans("{}", "[]", "".join(chr(code) for code in range(128) if chr(code) not in "[]{}"))
"""All are of one kind, and nothing else is left."""


class UnfitError(ValueError):
    """JSON that is not such a value; its text names the place and what is wrong there."""


class BeyondError(UnfitError):
    """It may be JSON, and is more of it than is read."""


class Bounds(NamedTuple):
    """What is refused. `only_once`: an object that says something twice; `finite`: words for what is no number."""

    largest: int = LARGEST_BYTES
    only_once: bool = False
    finite: bool = False
    most: int = MOST_VALUES
    lists: int = MOST_LISTS


USUAL = Bounds()


def parse(content: bytes | str, bounds: Bounds = USUAL) -> Json:
    """What it says; a ValueError tells why it can't be read."""
    content = content.encode() if isinstance(content, str) else content
    if len(content) <= SHORT <= PIECE and bounds is USUAL:
        with suppress(ValueError):  # read again, for the words of what is wrong and with a byte order mark
            text = content.decode()
            if text.count("[") + text.count("{") <= DEEPEST:
                return _SHORT.decode(text)
    return read(io.BytesIO(content), bounds)


def own(content: str) -> Json:
    """What this program has written and kept to itself, such as the journal's columns: nothing is looked at."""
    return json.loads(content)


def read(file: BinaryIO, bounds: Bounds = USUAL) -> Json:
    """As `parse`, from a file that is not taken into memory as a whole."""
    return _Reader(file, bounds).whole()


class _Names:
    """Makes the objects. Names that come again and again are kept once."""

    def __init__(self, only_once: bool) -> None:
        self._known: dict[str, str] = {}
        self._only_once = only_once

    def object_of(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        known = self._known.setdefault
        found = {known(name, name): value for name, value in pairs}
        if self._only_once and len(found) < len(pairs):
            raise UnfitError(tr("it says something twice"))
        return found


class _Reader:
    """Has a window on the text, and descends into what is larger than that."""

    def __init__(self, file: BinaryIO, bounds: Bounds) -> None:
        self._file = file
        self._bounds = bounds
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        constant = _no_number if bounds.finite else None
        self._object_of = _Names(bounds.only_once).object_of
        self._json = json.JSONDecoder(object_pairs_hook=self._object_of, parse_constant=constant, parse_int=_short)
        self._text = ""
        self._at = 0
        self._taken = 0
        self._ended = False
        self._lines = 0
        self._gone = 0
        self._singly = 0
        """Up to this character nothing is taken at one go: that was tried."""
        self._values = 0
        self._lists = 0
        self._rested = time.monotonic()

    def whole(self) -> Json:
        try:
            found = self._value(0)
        except RecursionError:
            raise BeyondError(tr("it is nested too deeply")) from None
        if self._next():
            raise self._no_json()
        return found

    def _value(self, depth: int) -> Json:
        self._next()
        self._reach(PIECE)
        start = self._at
        try:
            found, end = self._json.raw_decode(self._text, start)
        except json.JSONDecodeError:
            return self._large(depth)
        if self._may_go_on(end):
            return self._large(depth)
        self._weigh(start, end, depth)
        self._at = end
        return found

    def _may_go_on(self, end: int) -> bool:
        """A number that ends with the window, or before an “e+” that does."""
        return len(self._text) - end < 3 and not self._ended

    def _large(self, depth: int) -> Json:
        """What doesn't end within the window, or never."""
        sign = self._next()
        if sign not in ("[", "{"):
            return self._long()
        self._weigh(self._at, self._at, depth + 1)
        return self._list(depth + 1) if sign == "[" else self._object(depth + 1)

    def _list(self, depth: int) -> list[Json]:
        found: list[Json] = []
        self._at += 1
        if self._next() == "]":
            self._at += 1
            return found
        with _let_go(found):
            while True:
                found += self._several("[]", depth) or [self._value(depth)]
                if self._went_on("]"):
                    return found

    def _object(self, depth: int) -> dict[str, Json]:
        pairs: list[tuple[str, Json]] = []
        self._at += 1
        if self._next() == "}":
            self._at += 1
            return {}
        with _let_go(pairs):
            while True:
                several = self._several("{}", depth)
                pairs += several.items() if several else [self._pair(depth)]
                if self._went_on("}"):
                    return self._object_of(pairs)

    def _pair(self, depth: int) -> tuple[str, Json]:
        if self._next() != '"':
            raise self._no_json()
        name = self._value(depth)
        if self._next() != ":":
            raise self._no_json()
        self._at += 1
        return name, self._value(depth)

    def _several(self, brackets: str, depth: int) -> Json:
        """As many items as end within the window, at one go, if it can be told where they end."""
        self._reach(PIECE)
        if self._gone + self._at < self._singly:
            return None
        for sign, behind in ENDS:
            cut = self._text.rfind(sign, self._at) + behind
            if cut <= self._at:
                continue
            try:
                found = self._json.decode(f"{brackets[0]}{self._text[self._at : cut]}{brackets[1]}")
            except json.JSONDecodeError:
                continue
            self._weigh(self._at, cut, depth)
            self._at = cut
            return found
        self._singly = self._gone + len(self._text)
        return None

    def _went_on(self, closing: str) -> bool:
        """Whether it is closed here; else there is a comma."""
        sign = self._next()
        if sign not in (",", closing):
            raise self._no_json()
        self._at += 1
        return sign == closing

    def _long(self) -> Json:
        """A text or a number: there are no pieces of it."""
        if self._text[self._at : self._at + 1] == '"':
            return self._long_text()
        self._reach(PIECE + 2 * LONGEST_NUMBER)
        try:
            found, end = self._json.raw_decode(self._text, self._at)
        except json.JSONDecodeError:
            raise self._no_json() from None
        if self._may_go_on(end):
            raise BeyondError(tr("it has a number that is too long"))
        self._at = end
        return found

    def _long_text(self) -> Json:
        """It is looked for its end first: to try again and again what has none would take long."""
        wanted, sought = PIECE, 1
        while wanted < LONGEST_TEXT:
            wanted *= 2
            self._reach(wanted)
            while (end := self._text.find('"', self._at + sought)) >= 0:
                sought = end + 1 - self._at
                if not _is_escaped(self._text, end):
                    return self._take(end + 1)
            if self._ended:
                raise self._no_json()
            sought = len(self._text) - self._at
        raise BeyondError(tr("it is too large"))

    def _take(self, end: int) -> Json:
        try:
            found, _ = self._json.raw_decode(self._text, self._at)
        except json.JSONDecodeError:
            raise self._no_json() from None
        self._at = end
        return found

    def _next(self) -> str:
        """The sign that comes next; none at the end."""
        while True:
            found = NOUGHT.match(self._text, self._at)
            self._at = found.end() if found is not None else self._at
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._reach(PIECE)

    def _reach(self, wanted: int) -> None:
        """Have so many characters before us, if there are as many."""
        while not self._ended and len(self._text) - self._at < wanted:
            piece = self._file.read(max(PIECE, wanted - len(self._text) + self._at))
            self._taken += len(piece)
            if self._taken > self._bounds.largest:
                raise BeyondError(tr("it is too large"))
            self._ended = not piece
            self._lines += self._text.count("\n", 0, self._at)
            self._gone += self._at
            self._text = self._text[self._at :] + self._decode.decode(piece, self._ended)
            self._at = 0
            self._rest()

    def _rest(self) -> None:
        if time.monotonic() > self._rested + WORKS_S:
            time.sleep(RESTS_S)
            self._rested = time.monotonic()

    def _weigh(self, start: int, end: int, depth: int) -> None:
        signs = sum(self._text.count(sign, start, end) for sign in OPENING)
        self._lists += signs
        self._values += 1 + signs + self._text.count(",", start, end)
        if self._values > self._bounds.most or self._lists > self._bounds.lists:
            raise BeyondError(tr("it says too much"))
        if depth + signs > DEEPEST and depth + _depth(self._text[start:end]) > DEEPEST:
            raise BeyondError(tr("it is nested too deeply"))

    def _no_json(self) -> UnfitError:
        line = 1 + self._lines + self._text.count("\n", 0, self._at)
        return UnfitError(tr("it is no JSON at line {line}").format(line=line))


@contextmanager
def _let_go(items: list[Any]) -> Iterator[None]:
    """What was read of a list goes a little at a time where the rest of it is refused."""
    try:
        yield
    except ValueError:
        while items:
            del items[-FREED:]
            time.sleep(RESTS_S)
        raise


def _depth(text: str) -> int:
    """How deep the brackets of a whole value stand in each other."""
    left = TEXTS.sub("", text).translate(BRACKETS)
    depth = 0
    while left and depth <= DEEPEST:
        left = left.replace("[]", "")
        depth += 1
    return depth


def _is_escaped(text: str, at: int) -> bool:
    slashes = 0
    while text[at - 1 - slashes] == "\\":
        slashes += 1
    return slashes % 2 == 1


def _no_number(word: str) -> float:
    raise UnfitError(tr("{place} is no number").format(place=word))


def _short(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise BeyondError(tr("it has a number that is too long"))
    return int(digits)


_SHORT = json.JSONDecoder(parse_int=_short)
