r"""Regular expressions of tokenizers that take time in proportion to their text, whatever the text is.

A pattern is tried at every place of a text, and the engine behind it goes back where something fails. So a way through
it may read a run of any length only if nothing after that can fail. Three ways that can are known to all who split
texts as GPT-4 does; each is followed by one that reads the same run at once: line ends (`\s*[\r\n]+`), spaces before a
word (`\s+(?!\S)`), and words by their capitals (`A*B+` before `A+B*`).
"""

import re
from dataclasses import dataclass
from math import prod

LONGEST_PATTERN = 4_000
MOST_NESTED = 4
MOST_TRIED = 1_000
"""What all ways together may try at one place of a text, before a run. GPT-4o's pattern tries about a hundred."""
MANY = 16
"""Times that a group may be found, as far as it makes a difference."""
SPACES_BEFORE_WORD = r"\s+(?!\S)"
SPACES = (SPACES_BEFORE_WORD, r"\s+")
LINE_ENDS = frozenset({r"[\r\n]", r"[\n\r]", r"\n", r"\r"})
SQUARED = frozenset(
    {
        r"\s+$",
        r"(?=(\d{3})+(?!\d))",
        r"\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))",
        r"\p{Nd}{1,510}(?=(?>\p{Nd}{510})*(?:\P{Nd}|$))|\G\p{Nd}{510}",
        r"\A\p{Nd}{1,2}(?=\p{Nd}{3}+\z)",
        r"\A\p{Nd}{3}|\G\p{Nd}{3}",
    }
)
"""Of DeepSeek's first models, SuperBPE and Trinity. Their time grows with the square of a run of spaces or digits."""
ESCAPE = (
    r"\\(?:[pP]\{\^?[A-Za-z_ ]{1,40}\}|x\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}"
    r"|[rntfvsSdDwW]|[^\w\s])"
)
ONE = re.compile(rf"{ESCAPE}|[^\\*+?{{}}\[\]()|^$]", re.DOTALL)
CLASS_BEGINS = re.compile(r"\[\^?(?!\])")
IN_CLASS = re.compile(rf"{ESCAPE}|{CLASS_BEGINS.pattern}|[^\\]", re.DOTALL)
GROUP = re.compile(r"\((?:\?:|\?i:|\?=|\?!|(?!\?))")
CLOSE = re.compile(r"\)")
LOOKS = ("(?=", "(?!")
TIMES = re.compile(r"(?:[?*+]\+?|\{(?P<least>\d{0,3})(?P<to>,(?P<most>\d{0,3}))?\})(?![?*+{])")
ONES: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}


class EndlessError(Exception):
    """Nobody can say how long this pattern takes."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a pattern asks for, so many times; `most` is None where that has no end."""

    source: str
    least: int
    most: int | None
    shortest: int
    cost: int
    """What it may try at one place, before a run."""
    ways: int
    """In how many ways it may be found there, of which others are tried when what follows is not found."""
    looks: bool = False
    """It only looks at what comes, or at where it stands."""

    @property
    def optional(self) -> bool:
        return self.least == 0 and not self.looks

    @property
    def asks(self) -> tuple[str, int, int | None]:
        return self.source, self.least, self.most


@dataclass(frozen=True, slots=True)
class Way:
    """One of the alternatives of a pattern."""

    source: str
    items: tuple[Item, ...]

    @property
    def shortest(self) -> int:
        return sum(item.shortest for item in self.items)

    @property
    def endless(self) -> int | None:
        """Where it may read a run of any length for the first time."""
        return next((at for at, item in enumerate(self.items) if item.most is None), None)

    @property
    def ways(self) -> int:
        return prod(item.ways for item in self.items)

    @property
    def cost(self) -> int:
        """What comes before the last thing that must be found is tried again for each way of finding it."""
        needed = max((at for at, item in enumerate(self.items) if not item.optional), default=0)
        return (1 + sum(item.cost for item in self.items)) * prod(item.ways for item in self.items[:needed])


def shortest_match(pattern: str) -> int:
    """The characters of the shortest text that it matches; raises EndlessError for one of unknown time."""
    if pattern in SQUARED:
        return 0
    ways = _Reader(pattern).whole()
    if sum(way.cost for way in ways) > MOST_TRIED:
        raise EndlessError(pattern)
    for way, then in zip(ways, (*ways[1:], None), strict=True):
        if not _is_linear(way, then):
            raise EndlessError(way.source)
    return min(way.shortest for way in ways)


def _is_linear(way: Way, then: Way | None) -> bool:
    at = way.endless
    if at is None or all(item.optional for item in way.items[at + 1 :]) or way.source == SPACES_BEFORE_WORD:
        return True
    return then is not None and (_is_line_end(way, then) or _is_capitals(way.items, then.items, at))


def _is_line_end(way: Way, then: Way) -> bool:
    r"""`\s*[\r\n]+`, and a run without a line end is read by what comes next."""
    if len(way.items) != 2 or then.source not in SPACES:
        return False
    spaces, end = way.items
    return spaces.asks == (r"\s", 0, None) and end.source in LINE_ENDS and end.least == 1


def _is_capitals(way: tuple[Item, ...], then: tuple[Item, ...], at: int) -> bool:
    """`P?A*B+T?`, and a run that has only A is read by what comes next, `P?A+B*T?`."""
    before, (first, second), after = way[:at], way[at : at + 2], way[at + 2 :]
    if (first.least, second.least, second.most) != (0, 1, None) or not all(item.optional for item in after):
        return False
    if len(before) > 1 or any((item.least, item.most, item.cost) != (0, 1, 1) for item in before):
        return False
    swapped = ((first.source, 1, None), (second.source, 0, None))
    expected = (*(item.asks for item in before), *swapped, *(item.asks for item in after))
    return tuple(item.asks for item in then) == expected


class _Reader:
    """Reads what a pattern asks for; whatever isn't known here is refused."""

    def __init__(self, pattern: str) -> None:
        if len(pattern) > LONGEST_PATTERN:
            raise EndlessError(pattern[:LONGEST_PATTERN])
        self._pattern, self._at = pattern, 0

    def whole(self) -> tuple[Way, ...]:
        ways = self._ways(0)
        if self._at != len(self._pattern):
            raise EndlessError(self._pattern)
        return ways

    def _ways(self, depth: int) -> tuple[Way, ...]:
        if depth > MOST_NESTED:
            raise EndlessError(self._pattern)
        ways = [self._way(depth)]
        while self._pattern.startswith("|", self._at):
            self._at += 1
            ways.append(self._way(depth))
        return tuple(ways)

    def _way(self, depth: int) -> Way:
        start, items = self._at, list[Item]()
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            items.append(self._item(depth))
        return Way(self._pattern[start : self._at], tuple(items))

    def _item(self, depth: int) -> Item:
        sign, start = self._pattern[self._at], self._at
        if sign == "(":
            return self._group(depth)
        if sign in "^$":
            self._at += 1
            return Item(sign, 1, 1, 0, 1, 1, looks=True)
        self._take(CLASS_BEGINS if sign == "[" else ONE)
        if sign == "[":
            self._to_end_of_class()
        source = self._pattern[start : self._at]
        least, most = self._times()
        span = least if most is None else most
        return Item(source, least, most, least, max(1, span), 1 + span - least)

    def _group(self, depth: int) -> Item:
        """Nothing in it may be of any length, and neither may it be itself."""
        start, opening = self._at, self._take(GROUP)
        ways = self._ways(depth + 1)
        self._take(CLOSE)
        source, looks = self._pattern[start : self._at], opening in LOOKS
        least, most = self._times()
        if most is None or any(way.endless is not None for way in ways) or (looks and (least, most) != (1, 1)):
            raise EndlessError(self._pattern)
        shortest = 0 if looks else least * min(way.shortest for way in ways)
        found = min(sum(way.ways for way in ways), MOST_TRIED) + (least < most)
        return Item(
            source,
            least,
            most,
            shortest,
            max(1, most) * sum(way.cost for way in ways) * found ** max(0, min(most, MANY) - 1),
            found ** min(most, MANY),
            looks,
        )

    def _times(self) -> tuple[int, int | None]:
        found = TIMES.match(self._pattern, self._at)
        if found is None:
            return 1, 1
        self._at = found.end()
        if found[0][0] in ONES:
            return ONES[found[0][0]]
        least = int(found["least"] or 0)
        most = least if found["to"] is None else int(found["most"]) if found["most"] else None
        if (not found["least"] and most is None) or (most is not None and most < least):
            raise EndlessError(self._pattern)
        return least, most

    def _to_end_of_class(self) -> None:
        """To the bracket that closes it; some have others inside."""
        depth = 1
        while depth:
            sign = self._take(IN_CLASS)
            depth += (sign[0] == "[") - (sign == "]")

    def _take(self, what: re.Pattern[str]) -> str:
        found = what.match(self._pattern, self._at)
        if found is None:
            raise EndlessError(self._pattern)
        self._at = found.end()
        return found[0]
