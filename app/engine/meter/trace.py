"""The tokens of one answer as they came: where each stands in the text, when it came, and what was nearly said instead.

It grows while the model writes, on the window's thread alone, and is read there by whatever shows tokens. An answer
may have several runs (a Continue, a fork): their tokens follow each other, and `place` counts them from the first.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from app.engine.meter.speeds import percentile
from app.engine.meter.token_columns import TokenColumns
from app.engine.types import Alternative, Channel, Rejected, TokenLogprobs, VisibleText
from app.engine.visible_text import Stream, find_both


class Origin(StrEnum):
    """Who chose a token."""

    MODEL = "model"
    DRAFT = "draft"
    """Proposed by the draft model, and accepted."""
    USER = "you"
    """Put in its place by the user, where an answer was forked."""
    BUDGET = "budget"
    """Put in where its thoughts had had all their tokens."""


ORDER = tuple(Origin)
ORIGINS = {origin: number for number, origin in enumerate(ORDER)}
"""How the columns tell who chose a token."""
DRAFTED = ORIGINS[Origin.DRAFT]
IS_DRAFT = bytes(number == DRAFTED for number in range(256))


class TokenLike(Protocol):
    """What is asked of a token: one that has just come, or one that was recorded."""

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
    """One token of an answer, and all that is known of it."""

    place: int
    id: int
    text: str
    origin: Origin
    at: float | None
    """Seconds since Send of its run; None for one that the user put in."""
    gap: float | None
    """Seconds since the token before it; None for the first of a run."""
    observed: TokenLogprobs | None
    rejected: str = ""
    """What the draft model proposed for this place and on, in vain."""

    @property
    def name(self) -> str:
        """Its text or, where it wrote none, what it is called in the vocabulary, as far as that was recorded."""
        return self.text or (self.observed.chosen.text if self.observed is not None else "")

    @property
    def probability(self) -> float | None:
        return math.exp(self.observed.chosen.logprob) if self.observed is not None else None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some neighbouring tokens together: seconds between them."""

    first: int
    last: int
    mean: float | None
    p95: float | None
    drafted: bool = False
    """Accepted drafts are among them, which come in bursts: the seconds are those between the steps that begin here."""


@dataclass(frozen=True, slots=True)
class TextRange:
    """A stretch of what the reader sees: of the reasoning, or of the answer itself, counted in characters of that."""

    reasoning: bool
    start: int
    end: int


class Trace:
    """Give it each run's beginning, then its tokens and what of them was shown."""

    def __init__(self) -> None:
        self._columns = TokenColumns()
        self._runs: list[tuple[int, float, int]] = []
        """First token, moment of Send, and characters written before it began to write, of each run."""
        self._kept_runs = 0
        """How many of them belong to the answer that this one was forked from."""
        self._own = 0
        """Where the tokens begin that the present run wrote itself."""
        self._rejected: dict[int, str] = {}
        self._streams = (Stream(), Stream())

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def text(self) -> str:
        """All that was written, markers and stop strings with it."""
        return "".join(self._columns.texts)

    @property
    def observed(self) -> bool:
        """Whether candidates were recorded for any of it."""
        return any(self._columns.observed)

    def begin_run(self, sent: float = 0.0) -> None:
        """The tokens that follow are another run's; their times are counted from `sent`."""
        self._own = len(self)
        self._runs.append((self._own, sent, self._columns.written))

    def extend(self, tokens: Iterable[TokenLike], origin: Origin | None = None) -> None:
        """Tokens that have come; `origin` where somebody else chose them than the tokens themselves tell."""
        for token in tokens:
            chosen = origin or (Origin.DRAFT if token.from_draft else Origin.MODEL)
            self._columns.add(token.id, token.text, token.at, ORIGINS[chosen], token.observed)

    def fork(self, other: Trace, place: int, ids: Sequence[int], texts: Sequence[str], sent: float = 0.0) -> None:
        """Begin with another one's tokens before `place`, and with what the user put there: `ids` are all of them.

        The times of what is kept are those of the other's runs.
        """
        self._runs = [run for run in other._runs if run[0] < place]
        self._kept_runs = len(self._runs)
        kept = other._columns
        for each, text in enumerate(texts[:place]):
            self._columns.add(kept.ids[each], text, kept.ats[each], kept.origins[each], kept.observed[each])
        nearly = other.observed_at(place) if place < len(other) else None
        for token_id, text in zip(ids[place:], texts[place:], strict=True):
            self._columns.add(token_id, text, 0.0, ORIGINS[Origin.USER], _chosen(nearly, token_id))
            nearly = None
        self._rejected = {at: text for at, text in other._rejected.items() if at < place}
        self._own = len(self)
        self._runs.append((place, sent, self._columns.written))

    def learn(self, run: int, observed: Iterable[TokenLogprobs]) -> None:
        """What a replay saw of the choices that this run began with; what the user put in before them was none."""
        came = (place for place in self.places(run) if self.origin(place) is not Origin.USER)
        for place, each in zip(came, observed, strict=False):
            self._columns.observed[place] = each

    def reject(self, rejected: Iterable[Rejected]) -> None:
        """What the draft model of the present run proposed in vain."""
        self._rejected |= {self._own + each.index: "".join(each.texts) for each in rejected}

    def put_in(self, places: Iterable[int]) -> None:
        """Which tokens of the present run ended its thoughts, and the model did not choose."""
        for place in places:
            if 0 <= self._own + place < len(self):
                self._columns.origins[self._own + place] = ORIGINS[Origin.BUDGET]

    def show(self, shown: Iterable[VisibleText]) -> None:
        """What may be seen of the present run."""
        before = self._runs[-1][2] if self._runs else 0
        for piece in shown:
            self._streams[piece.voice is Channel.REASONING].add(before + piece.start, len(piece.text))

    def align(self, text: str, reasoning: str) -> None:
        """For an answer that was read back: what is seen of it in all, found again in what was written."""
        self._streams = find_both(self.text, text, reasoning)

    def token(self, place: int) -> TraceToken:
        columns, origin = self._columns, self.origin(place)
        at = None if origin is Origin.USER else columns.ats[place] - self._sent(place)
        gap, observed, rejected = self.gap(place), columns.observed[place], self.rejected(place)
        return TraceToken(place, columns.ids[place], columns.texts[place], origin, at, gap, observed, rejected)

    def observed_at(self, place: int) -> TokenLogprobs | None:
        return self._columns.observed[place]

    def rejected(self, place: int) -> str:
        """What the draft model proposed for a token and those after it, and was not taken."""
        return self._rejected.get(place, "")

    def origin(self, place: int) -> Origin:
        return ORDER[self._columns.origins[place]]

    def gap(self, place: int) -> float | None:
        """Seconds since the token before it, in the same run."""
        columns, user = self._columns, ORIGINS[Origin.USER]
        if not place or place == self._runs[self._run(place)][0] or user in columns.origins[place - 1 : place + 1]:
            return None
        return columns.ats[place] - columns.ats[place - 1]

    def run(self, place: int) -> tuple[int, int]:
        """Which of the answer's runs a token belongs to, and which of that run's tokens it is.

        What the user put in belongs to the run that went on from there. Below zero it is a run of the answer that this
        one was forked from.
        """
        run = self._run(place)
        return run - self._kept_runs, place - self._runs[run][0]

    def place_in(self, run: int, index: int) -> int | None:
        """Where the token `index` of a run stands in the answer; None before there is such a token."""
        places = self.places(run)
        return places[index] if 0 <= index < len(places) else None

    def places(self, run: int) -> range:
        """Where a run's tokens stand in the answer."""
        run += self._kept_runs
        if not 0 <= run < len(self._runs):
            return range(0)
        end = self._runs[run + 1][0] if run + 1 < len(self._runs) else len(self)
        return range(self._runs[run][0], end)

    def arrivals(self, places: range) -> list[float]:
        """When neighbouring tokens of one run came, in seconds since its Send."""
        sent = self._sent(places.start) if places else 0.0
        return [at - sent for at in self._columns.ats[places.start : places.stop]]

    def drafts(self, places: range) -> bytes:
        """Which of these tokens a draft model proposed."""
        return bytes(self._columns.origins[places.start : places.stop].translate(IS_DRAFT))

    def group(self, place: int) -> range:
        """The tokens that form one character together with this one: those before the last of them have no text."""
        last, texts = place, self._columns.texts
        while not texts[last] and last + 1 < len(texts):
            last += 1
        if not texts[last]:
            return range(place, place + 1)
        first = min(place, last)
        while first and not texts[first - 1]:
            first -= 1
        return range(first, last + 1)

    def stretch(self, first: int, last: int) -> Stretch:
        """What is said of the tokens from `first` to `last`, both included."""
        gaps = sorted(gap for place in range(first, last + 1) if (gap := self._step_gap(place)) is not None)
        drafted = DRAFTED in self._columns.origins[first : last + 1]
        if not gaps:
            return Stretch(first, last, None, None, drafted)
        return Stretch(first, last, sum(gaps) / len(gaps), percentile(gaps, 95), drafted)

    def seen(self, place: int) -> TextRange | None:
        """What the reader sees of a token; None where that is nothing."""
        start = self._columns.starts[place]
        end = start + len(self._columns.texts[place])
        for reasoning, stream in enumerate(self._streams):
            if (found := stream.seen(start, end)) is not None:
                return TextRange(bool(reasoning), *found)
        return None

    def place_at(self, reasoning: bool, offset: int) -> int | None:
        """The token behind a character of what the reader sees."""
        written = self._streams[reasoning].written(offset)
        return None if written is None else bisect_right(self._columns.starts, written) - 1

    def _step_gap(self, place: int) -> float | None:
        """Seconds since the step before it began, where a token begins one: a step is accepted drafts and one more."""
        gap, origins = self.gap(place), self._columns.origins
        if gap is None or origins[place - 1] == DRAFTED:
            return None
        before, first = place - 1, self._runs[self._run(place)][0]
        while before > first and origins[before - 1] == DRAFTED:
            before -= 1
        return self._columns.ats[place] - self._columns.ats[before]

    def _run(self, place: int) -> int:
        return bisect_right(self._runs, place, key=lambda run: run[0]) - 1

    def _sent(self, place: int) -> float:
        return self._runs[self._run(place)][1]


def _chosen(observed: TokenLogprobs | None, token_id: int) -> TokenLogprobs | None:
    """The same look at the choice, had it fallen on this token; None where that was not among the candidates."""
    found = _find_candidate(observed, token_id) if observed is not None else None
    return replace(observed, chosen=found[1], rank=found[0]) if observed is not None and found is not None else None


def _find_candidate(observed: TokenLogprobs, token_id: int) -> tuple[int, Alternative] | None:
    if observed.chosen.id == token_id:
        return observed.rank, observed.chosen
    return next(((rank, each) for rank, each in enumerate(observed.top, start=1) if each.id == token_id), None)
