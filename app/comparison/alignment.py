"""The tokens of several columns, aligned with those of the first one."""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.comparison.columns import ComparedRun
from app.engine.text import common_prefix
from app.i18n import tr
from app.number_format import chance, minus, two_digits
from app.records.types import TokenRecord

LEAST_SHARED = 4
"""Shorter sequences of shared tokens are not aligned: in different texts, they are coincidences."""
FARTHEST = 256
"""Tokens after a difference in which a shared sequence is looked for. Without one, tokens are aligned by number."""
Slot = tuple[int | None, ...]
"""The index of one token in each column; None: the column has none here."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Slots in reading order."""

    slots: tuple[Slot, ...]
    different: tuple[frozenset[int], ...]
    """For each slot the columns whose token isn't that of the first column."""
    firsts: Mapping[int, int]
    """The first slot in which a column differs from the first one, by column."""

    @property
    def starts(self) -> tuple[int, ...]:
        """The first slot of each passage in which the columns differ."""
        return tuple(at for at, each in enumerate(self.different) if each and not (at and self.different[at - 1]))


def align(columns: Sequence[ComparedRun]) -> Alignment:
    keys = _keys(columns)
    slots = tuple(_slots(keys))
    different = tuple(_different(slot, keys) for slot in slots)
    firsts: dict[int, int] = {}
    for at, others in enumerate(different):
        for column in others:
            firsts.setdefault(column, at)
    return Alignment(slots, different, firsts)


def common_tokens(first: ComparedRun, other: ComparedRun) -> int | None:
    """Return the index of the first different token; None if the tokens are the same."""
    keys = _keys((first, other))
    at = common_prefix(*keys)
    return None if at == len(keys[0]) == len(keys[1]) else at


def first_difference(letters: tuple[str, str], first: ComparedRun, other: ComparedRun) -> str:
    """Describe the first difference of two columns, with its probabilities where they were recorded."""
    at, values = common_tokens(first, other), dict(zip(("first", "other"), letters, strict=True))
    if at is None:
        return tr("{first} and {other} have the same tokens.").format(**values)
    tokens = first.tokens[at : at + 1], other.tokens[at : at + 1]
    if not all(tokens):
        shorter = letters[bool(tokens[0])]
        words = tr("{first} and {other} have the same tokens up to token {number}, where {shorter} ends.")
        return words.format(number=f"{at:,}", shorter=shorter, **values)
    one, two = tokens[0][0], tokens[1][0]
    words = tr("{first} and {other} differ from token {number} on: {one} and {two}.")
    sentence = words.format(number=f"{at + 1:,}", one=_named(one), two=_named(two), **values)
    return " ".join(filter(None, (sentence, _gap(letters[0], one, two))))


def _gap(letter: str, own: TokenRecord, other: TokenRecord) -> str:
    """Describe the probability that the first column's model gave to the other column's token."""
    mine, theirs = probability_of(own, own), probability_of(own, other)
    if mine is None or theirs is None:
        return ""
    words = tr("In {column}, {token} had {probability}: a gap of {points} percentage points.")
    points = minus(two_digits(100 * (mine - theirs)))
    return words.format(column=letter, token=_quoted(other), probability=chance(theirs), points=points)


def probability_of(at: TokenRecord, token: TokenRecord) -> float | None:
    """Return the probability of `token` in the distribution recorded at another token; None if it isn't known."""
    if at.observed is None:
        return None
    if (at.id, at.text) == (token.id, token.text):
        return at.observed.chosen.probability
    return next((each.probability for each in at.observed.top if (each.id, each.text) == (token.id, token.text)), None)


def _named(token: TokenRecord) -> str:
    probability = probability_of(token, token)
    return _quoted(token) if probability is None else f"{_quoted(token)} ({chance(probability)})"


def _quoted(token: TokenRecord) -> str:
    """Return the text in quotation marks; a token has none if it is EOS, or a part of a character."""
    return "“" + token.text.replace("\n", "⏎") + "”" if token.text else tr("a token without text")


def _keys(columns: Sequence[ComparedRun]) -> list[list[Hashable]]:
    """Return what identifies the tokens: their ids if all columns have the same vocabulary, else their texts."""
    prompts = {column.prompt_ids for column in columns}
    models = {column.settings.get(tr("Model")) for column in columns}
    has_ids = all(token.id >= 0 for column in columns for token in column.tokens)
    by_id = has_ids and (len(models) == 1 or (len(prompts) == 1 and all(prompts)))
    return [[token.id if by_id else token.text for token in column.tokens] for column in columns]


def _slots(keys: Sequence[Sequence[Hashable]]) -> Iterator[Slot]:
    first, *others = keys
    found = [_beside(first, other) for other in others]
    for at in range(len(first) + 1):
        extra = [before.get(at, ()) for _, before in found]
        for step in range(max(map(len, extra), default=0)):
            yield (None, *(each[step] if step < len(each) else None for each in extra))
        if at < len(first):
            yield (at, *(beside[at] for beside, _ in found))


def _beside(first: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[list[int | None], dict[int, Sequence[int]]]:
    """Return the other token beside each token of the first, and further ones by the token that they precede."""
    beside: list[int | None] = [None] * len(first)
    before: dict[int, Sequence[int]] = {}
    here = there = 0
    for start, other_start, size in _shared(first, other):
        pairs = min(start - here, other_start - there)
        beside[here : here + pairs] = range(there, there + pairs)
        if there + pairs < other_start:
            before[start] = range(there + pairs, other_start)
        here, there = start + size, other_start + size
        beside[start:here] = range(other_start, there)
    return beside, before


def _shared(first: Sequence[Hashable], other: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """Yield the shared sequences as both starts and the length, and an empty one at the end of both.

    After a difference, the nearest shared sequence counts, not the longest: a model that repeats itself has many.
    """
    places: dict[tuple[Hashable, ...], list[int]] = {}
    for at in range(len(other) - LEAST_SHARED + 1):
        places.setdefault(tuple(other[at : at + LEAST_SHARED]), []).append(at)
    here = there = 0
    while here < len(first) and there < len(other):
        size = 0
        while here + size < len(first) and there + size < len(other) and first[here + size] == other[there + size]:
            size += 1
        yield here, there, size
        here, there = _next_shared(first, here + size, there + size, places)
    yield len(first), len(other), 0


def _next_shared(
    first: Sequence[Hashable], here: int, there: int, places: Mapping[tuple[Hashable, ...], Sequence[int]]
) -> tuple[int, int]:
    """Return where the nearest shared sequence begins in both; without one, the places after `FARTHEST` tokens."""
    nearest, found = FARTHEST, (here + FARTHEST, there + FARTHEST)
    for skipped in range(FARTHEST):
        if skipped >= nearest:
            break
        known = places.get(tuple(first[here + skipped : here + skipped + LEAST_SHARED]), ())
        at = bisect_left(known, there)
        if at < len(known) and max(skipped, known[at] - there) < nearest:
            nearest, found = max(skipped, known[at] - there), (here + skipped, known[at])
    return found


def _different(slot: Slot, keys: Sequence[Sequence[Hashable]]) -> frozenset[int]:
    seen = [None if at is None else (column[at],) for at, column in zip(slot, keys, strict=True)]
    return frozenset(column for column, key in enumerate(seen) if key != seen[0])
