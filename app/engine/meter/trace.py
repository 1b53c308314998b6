"""The tokens of one answer: positions in the generated and the displayed text, arrivals and alternatives.

A trace grows during a run. Views read it on the same thread, the window's. An answer may have several runs (Continue, a
fork). Their tokens follow each other, and `position` counts all of them from 0.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from app.engine.meter.speeds import percentile
from app.engine.types import Channel, RejectedTokens, TokenLogprobs, VisibleText

TRIES = 200
"""Maximum number of attempts to align an answer with interleaved reasoning; each piece needs one or two."""

Piece = tuple[int, int, int]
"""1 for reasoning, offset in the generated text, length."""


class TextOffsets:
    """Displayed pieces of a text: offsets in the displayed and in the generated text."""

    def __init__(self) -> None:
        self._seen: list[int] = []
        self._written: list[int] = []
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, written: int, length: int) -> None:
        if not self._written or self._written[-1] + self._length - self._seen[-1] != written:
            self._seen.append(self._length)
            self._written.append(written)
        self._length += length

    def written(self, offset: int) -> int | None:
        if not 0 <= offset < self._length:
            return None
        piece = bisect_right(self._seen, offset) - 1
        return self._written[piece] + offset - self._seen[piece]

    def seen(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the displayed range of the generated range `start` to `end`."""
        found: tuple[int, int] | None = None
        piece = max(0, bisect_right(self._written, start) - 1)
        while start < end and piece < len(self._written) and self._written[piece] < end:
            written, seen = self._written[piece], self._seen[piece]
            length = (self._seen[piece + 1] if piece + 1 < len(self._seen) else self._length) - seen
            if start < written + length:
                first = found[0] if found else max(start - written, 0) + seen
                found = first, min(end - written, length) + seen
            piece += 1
        return found


def find_both(written: str, text: str, reasoning: str) -> tuple[TextOffsets, TextOffsets]:
    """Find answer and reasoning in the generated text, with tags between them.

    Usually all reasoning comes first; it can also alternate with the answer.
    """
    streams = TextOffsets(), TextOffsets()
    taken = _find(written, reasoning, 0, streams[True])
    _find(written, text, taken, streams[False])
    found, whole = sum(map(len, streams)), len(text) + len(reasoning)
    if found < whole and _length(by_turns := _align_pieces(written, (text, reasoning), whole)) > found:
        streams = TextOffsets(), TextOffsets()
        for voice, start, length in by_turns:
            streams[voice].add(start, length)
    return streams


def _align_pieces(written: str, texts: tuple[str, str], whole: int) -> tuple[Piece, ...]:
    """Align pieces in order; try another order if that leaves text out."""
    best, waiting = tuple[Piece, ...](), [tuple[Piece, ...]()]
    for _ in range(TRIES):
        if not waiting or _length(best) == whole:
            break
        pieces = waiting.pop()
        best = max(best, pieces, key=_length)
        waiting += [(*pieces, piece) for piece in _candidates(written, texts, pieces)]
    return best


def _candidates(written: str, texts: tuple[str, str], pieces: tuple[Piece, ...]) -> Iterator[Piece]:
    """Yield candidates for the next piece; the last is the likeliest."""
    start = sum(pieces[-1][1:]) if pieces else 0
    rests = [text[_length(pieces, voice) :] for voice, text in enumerate(texts)]
    found = [
        (written.find(rest[:length], start), -length, voice)
        for voice, rest in enumerate(rests)
        if (length := _matching_length(written, rest, 0, start))
    ]
    if not found:
        return
    position, length, voice = min(found)
    other = 1 - voice
    if before := _matching_length(written[:position], rests[other], 0, start):
        yield other, written.find(rests[other][:before], start), before
    yield voice, position, -length


def _length(pieces: tuple[Piece, ...], voice: int | None = None) -> int:
    return sum(length for of, _, length in pieces if voice in (None, of))


def _find(written: str, text: str, start: int, stream: TextOffsets) -> int:
    """Add positions of `text` in the generated text from `start` on; hidden text may interrupt it."""
    done = 0
    while done < len(text):
        length = _matching_length(written, text, done, start)
        if not length:
            break
        start = written.find(text[done : done + length], start)
        stream.add(start, length)
        start += length
        done += length
    return start


def _matching_length(written: str, text: str, done: int, start: int) -> int:
    """Return the length of the longest prefix of `text[done:]` that occurs in `written` from `start` on."""
    low, high = 0, len(text) - done
    while low < high:
        middle = (low + high + 1) // 2
        if written.find(text[done : done + middle], start) >= 0:
            low = middle
        else:
            high = middle - 1
    return low


class Origin(StrEnum):
    MODEL = "model"
    DRAFT = "draft"
    """Proposed by the draft model, and accepted."""
    USER = "you"
    """Inserted by the user, where an answer was forked."""
    BUDGET = "budget"
    """Inserted at the end of the reasoning budget."""


ORDER = tuple(Origin)
ORIGINS = {origin: number for number, origin in enumerate(ORDER)}
"""Number of each origin in the columns."""
DRAFTED = ORIGINS[Origin.DRAFT]
IS_DRAFT = bytes(number == DRAFTED for number in range(256))


class TokenLike(Protocol):
    """A token of an active run, or a recorded one."""

    @property
    def id(self) -> int: ...

    @property
    def text(self) -> str: ...

    @property
    def at(self) -> float: ...

    @property
    def from_draft(self) -> bool: ...

    @property
    def observed(self) -> TokenLogprobs | None: ...


@dataclass(frozen=True, slots=True)
class TraceToken:
    position: int
    id: int
    text: str
    origin: Origin
    at: float | None
    """Seconds since Send of its run; None for a token that the user inserted."""
    gap: float | None
    """Inter-token latency in seconds; None for the first token of a run."""
    observed: TokenLogprobs | None
    rejected: str = ""
    """The rejected draft that began at this token."""

    @property
    def name(self) -> str:
        """Its text, or, if that is empty, its recorded name in the vocabulary."""
        return self.text or (self.observed.chosen.text if self.observed is not None else "")

    @property
    def probability(self) -> float | None:
        return math.exp(self.observed.chosen.logprob) if self.observed is not None else None


@dataclass(frozen=True, slots=True)
class TokenRange:
    """A range of tokens, and their inter-token latency in seconds."""

    first: int
    last: int
    mean: float | None
    p95: float | None
    drafted: bool = False
    """Whether it has accepted drafts: then the latency is between steps."""


@dataclass(frozen=True, slots=True)
class TextRange:
    """A range of characters of the visible reasoning, or of the visible answer."""

    reasoning: bool
    start: int
    end: int


class TokenColumns:
    """Tokens as columns: some 40 bytes for each instead of 400, since an answer may have 100,000."""

    def __init__(self) -> None:
        self.ids = array("q")
        self.ats = array("d")
        self.starts = array("q")
        """Offset of each token in the full text."""
        self.texts: list[str] = []
        self.origins = bytearray()
        self.observed: list[TokenLogprobs | None] = []
        self.written = 0
        """Number of characters of all tokens."""
        self._spelt: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def add(self, token_id: int, text: str, at: float, origin: int, observed: TokenLogprobs | None) -> None:
        self.ids.append(token_id)
        self.ats.append(at)
        self.starts.append(self.written)
        self.texts.append(self._spelt.setdefault(text, text))
        self.origins.append(origin)
        self.observed.append(observed)
        self.written += len(text)


class Trace:
    """The tokens of an answer. Call `begin_run` for each run, then add its tokens and visible text."""

    def __init__(self) -> None:
        self._columns = TokenColumns()
        self._runs: list[tuple[int, float, int]] = []
        """First token, time of Send, and number of characters before it, for each run."""
        self._kept_runs = 0
        """The number of runs that belong to the original answer, if this one is a fork."""
        self._own = 0
        """Position of the first token that the latest run generated."""
        self._rejected: dict[int, str] = {}
        self._streams = (TextOffsets(), TextOffsets())

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def text(self) -> str:
        """The full text, with markers and stop strings."""
        return "".join(self._columns.texts)

    def begin_run(self, sent: float = 0.0) -> None:
        """Begin another run; its times count from `sent`."""
        self._own = len(self)
        self._runs.append((self._own, sent, self._columns.written))

    def extend(self, tokens: Iterable[TokenLike], origin: Origin | None = None) -> None:
        """Add tokens; `origin` replaces their own origin."""
        for token in tokens:
            chosen = origin or (Origin.DRAFT if token.from_draft else Origin.MODEL)
            self._columns.add(token.id, token.text, token.at, ORIGINS[chosen], token.observed)

    def fork(self, other: Trace, position: int, ids: Sequence[int], texts: Sequence[str], sent: float = 0.0) -> None:
        """Start as a fork: with the tokens of another trace before `position`, and the tokens that the user inserted.

        `ids` are the ids of both. The tokens of the other trace keep the times of their runs.
        """
        self._runs = [run for run in other._runs if run[0] < position]
        self._kept_runs = len(self._runs)
        kept = other._columns
        for each, text in enumerate(texts[:position]):
            self._columns.add(kept.ids[each], text, kept.ats[each], kept.origins[each], kept.observed[each])
        nearly = other.logprobs_at(position) if position < len(other) else None
        for token_id, text in zip(ids[position:], texts[position:], strict=True):
            self._columns.add(token_id, text, 0.0, ORIGINS[Origin.USER], _with_chosen(nearly, token_id))
            nearly = None
        self._rejected = {at: text for at, text in other._rejected.items() if at < position}
        self._own = len(self)
        self._runs.append((position, sent, self._columns.written))

    def learn(self, run: int, observed: Iterable[TokenLogprobs]) -> None:
        """Set the logprobs that a rerun recorded; tokens inserted by the user have none."""
        came = (position for position in self.positions(run) if self.origin(position) is not Origin.USER)
        for position, each in zip(came, observed, strict=False):
            self._columns.observed[position] = each

    def reject(self, rejected: Iterable[RejectedTokens]) -> None:
        self._rejected |= {self._own + each.index: "".join(each.texts) for each in rejected}

    def mark_inserted(self, positions: Iterable[int]) -> None:
        """Mark the tokens of the latest run that the reasoning budget inserted."""
        for position in positions:
            if 0 <= self._own + position < len(self):
                self._columns.origins[self._own + position] = ORIGINS[Origin.BUDGET]

    def show(self, shown: Iterable[VisibleText]) -> None:
        before = self._runs[-1][2] if self._runs else 0
        for piece in shown:
            self._streams[piece.voice is Channel.REASONING].add(before + piece.start, len(piece.text))

    def align(self, text: str, reasoning: str) -> None:
        """Find the visible text of a recorded answer in its full text."""
        self._streams = find_both(self.text, text, reasoning)

    def token(self, position: int) -> TraceToken:
        columns, origin = self._columns, self.origin(position)
        at = None if origin is Origin.USER else columns.ats[position] - self._sent(position)
        gap, observed, rejected = self.gap(position), columns.observed[position], self.rejected(position)
        return TraceToken(position, columns.ids[position], columns.texts[position], origin, at, gap, observed, rejected)

    def logprobs_at(self, position: int) -> TokenLogprobs | None:
        return self._columns.observed[position]

    def rejected(self, position: int) -> str:
        """Return the rejected draft that began at this token; empty if there is none."""
        return self._rejected.get(position, "")

    def origin(self, position: int) -> Origin:
        return ORDER[self._columns.origins[position]]

    def gap(self, position: int) -> float | None:
        """Return the inter-token latency in seconds; None for the first token of a run, and next to inserted ones."""
        columns, user = self._columns, ORIGINS[Origin.USER]
        if (
            not position
            or position == self._runs[self._run(position)][0]
            or user in columns.origins[position - 1 : position + 1]
        ):
            return None
        return columns.ats[position] - columns.ats[position - 1]

    def run(self, position: int) -> tuple[int, int]:
        """Return the number of a token's run in the answer, and the token's index in that run.

        Inserted tokens belong to the run that continued from them. Numbers below 0 are runs of the answer that this one
        was forked from.
        """
        run = self._run(position)
        return run - self._kept_runs, position - self._runs[run][0]

    def position_in(self, run: int, index: int) -> int | None:
        """Return the position of the token `index` of a run; None if it doesn't exist yet."""
        positions = self.positions(run)
        return positions[index] if 0 <= index < len(positions) else None

    def positions(self, run: int) -> range:
        run += self._kept_runs
        if not 0 <= run < len(self._runs):
            return range(0)
        end = self._runs[run + 1][0] if run + 1 < len(self._runs) else len(self)
        return range(self._runs[run][0], end)

    def arrivals(self, positions: range) -> list[float]:
        """Return the arrivals of adjacent tokens of one run, in seconds since its Send."""
        sent = self._sent(positions.start) if positions else 0.0
        return [at - sent for at in self._columns.ats[positions.start : positions.stop]]

    def drafts(self, positions: range) -> bytes:
        """Return 1 for each token that a draft model proposed, else 0."""
        return bytes(self._columns.origins[positions.start : positions.stop].translate(IS_DRAFT))

    def group(self, position: int) -> range:
        """Return the tokens that form one character with this one: only the last of them has text."""
        last, texts = position, self._columns.texts
        while not texts[last] and last + 1 < len(texts):
            last += 1
        if not texts[last]:
            return range(position, position + 1)
        first = min(position, last)
        while first and not texts[first - 1]:
            first -= 1
        return range(first, last + 1)

    def stretch(self, first: int, last: int) -> TokenRange:
        """Return the latency of the tokens from `first` to `last`, both included."""
        gaps = sorted(gap for position in range(first, last + 1) if (gap := self._step_gap(position)) is not None)
        drafted = DRAFTED in self._columns.origins[first : last + 1]
        if not gaps:
            return TokenRange(first, last, None, None, drafted)
        return TokenRange(first, last, sum(gaps) / len(gaps), percentile(gaps, 95), drafted)

    def seen(self, position: int) -> TextRange | None:
        """Return the range of a token's visible text; None if it has none."""
        start = self._columns.starts[position]
        end = start + len(self._columns.texts[position])
        for reasoning, stream in enumerate(self._streams):
            if (found := stream.seen(start, end)) is not None:
                return TextRange(bool(reasoning), *found)
        return None

    def position_at(self, reasoning: bool, offset: int) -> int | None:
        written = self._streams[reasoning].written(offset)
        return None if written is None else bisect_right(self._columns.starts, written) - 1

    def _step_gap(self, position: int) -> float | None:
        """Return the seconds since the previous step; None for a token that doesn't begin a step."""
        gap, origins = self.gap(position), self._columns.origins
        if gap is None or origins[position - 1] == DRAFTED:
            return None
        before, first = position - 1, self._runs[self._run(position)][0]
        while before > first and origins[before - 1] == DRAFTED:
            before -= 1
        return self._columns.ats[position] - self._columns.ats[before]

    def _run(self, position: int) -> int:
        return bisect_right(self._runs, position, key=lambda run: run[0]) - 1

    def _sent(self, position: int) -> float:
        return self._runs[self._run(position)][1]


def _with_chosen(observed: TokenLogprobs | None, token_id: int) -> TokenLogprobs | None:
    """Return the logprobs with this token as the sampled one; None if it was not among the alternatives."""
    if observed is None:
        return None
    ranked = [(observed.rank, observed.chosen), *enumerate(observed.top, start=1)]
    return next((replace(observed, rank=rank, chosen=each) for rank, each in ranked if each.id == token_id), None)
