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

from app.engine.seen import Stream, find
from app.engine.speeds import percentile
from app.engine.types import Candidate, Observed, Rejected, Shown, Voice


class Origin(StrEnum):
    """Who chose a token."""

    MODEL = "model"
    DRAFT = "draft"
    """Proposed by the draft model, and accepted."""
    USER = "you"
    """Put in its place by the user, where an answer was forked."""


class Came(Protocol):
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
    def observed(self) -> Observed | None: ...


@dataclass(frozen=True, slots=True)
class Traced:
    """One token of an answer, and all that is known of it."""

    place: int
    id: int
    text: str
    origin: Origin
    at: float | None
    """Seconds since Send of its run; None for one that the user put in."""
    gap: float | None
    """Seconds since the token before it; None for the first of a run."""
    observed: Observed | None
    rejected: str = ""
    """What the draft model proposed for this place and on, in vain."""

    @property
    def probability(self) -> float | None:
        return math.exp(self.observed.chosen.logprob) if self.observed is not None else None


@dataclass(frozen=True, slots=True)
class Put:
    """A token that did not come from the model here: put in by the user, or with other text than where it came."""

    id: int
    text: str
    at: float = 0.0
    from_draft: bool = False
    observed: Observed | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some neighbouring tokens together: seconds between them."""

    first: int
    last: int
    mean: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of what the reader sees: of the reasoning, or of the answer itself, counted in characters of that."""

    reasoning: bool
    start: int
    end: int


class Trace:
    """Give it each run's beginning, then its tokens and what of them was shown."""

    def __init__(self) -> None:
        self._tokens: list[Came] = []
        self._origins: list[Origin] = []
        self._starts: list[int] = []
        """Where in all that was written each token begins."""
        self._written = 0
        self._runs: list[tuple[int, float, int]] = []
        """First token, moment of Send, and characters written before it began to write, of each run."""
        self._kept_runs = 0
        """How many of them belong to the answer that this one was forked from."""
        self._own = 0
        """Where the tokens begin that the present run wrote itself."""
        self._rejected: dict[int, str] = {}
        self._streams = (Stream(), Stream())

    def __len__(self) -> int:
        return len(self._tokens)

    @property
    def text(self) -> str:
        """All that was written, markers and stop strings with it."""
        return "".join(token.text for token in self._tokens)

    @property
    def observed(self) -> bool:
        """Whether candidates were recorded for any of it."""
        return any(token.observed is not None for token in self._tokens)

    def begin_run(self, sent: float = 0.0) -> None:
        """The tokens that follow are another run's; their times are counted from `sent`."""
        self._own = len(self._tokens)
        self._runs.append((self._own, sent, self._written))

    def extend(self, tokens: Iterable[Came], origin: Origin | None = None) -> None:
        """Tokens that have come."""
        for token in tokens:
            self._tokens.append(token)
            self._starts.append(self._written)
            self._written += len(token.text)
            self._origins.append(origin or (Origin.DRAFT if token.from_draft else Origin.MODEL))

    def fork(self, other: Trace, place: int, ids: Sequence[int], texts: Sequence[str], sent: float = 0.0) -> None:
        """Begin with another one's tokens before `place`, and with what the user put there: `ids` are all of them.

        The times of what is kept are those of the other's runs.
        """
        kept = zip(other._tokens[:place], other._origins[:place], texts, strict=False)
        self._runs = [run for run in other._runs if run[0] < place]
        self._kept_runs = len(self._runs)
        for token, origin, text in kept:
            same = token.text == text
            self.extend((token if same else Put(token.id, text, token.at, token.from_draft, token.observed),), origin)
        nearly = other.observed_at(place) if place < len(other) else None
        for token_id, text in zip(ids[place:], texts[place:], strict=True):
            self.extend((Put(token_id, text, observed=_chosen(nearly, token_id)),), Origin.USER)
            nearly = None
        self._rejected = {at: text for at, text in other._rejected.items() if at < place}
        self._own = len(self._tokens)
        self._runs.append((place, sent, self._written))

    def reject(self, rejected: Iterable[Rejected]) -> None:
        """What the draft model of the present run proposed in vain."""
        self._rejected |= {self._own + each.index: "".join(each.texts) for each in rejected}

    def show(self, shown: Iterable[Shown]) -> None:
        """What may be seen of the present run."""
        before = self._runs[-1][2] if self._runs else 0
        for piece in shown:
            self._streams[piece.voice is Voice.REASONING].add(before + piece.start, len(piece.text))

    def align(self, text: str, reasoning: str) -> None:
        """For an answer that was read back: what is seen of it in all, found again in what was written."""
        written = self.text
        streams = (Stream(), Stream())
        taken = find(written, reasoning, 0, streams[True])
        find(written, text, taken, streams[False])
        self._streams = streams

    def token(self, place: int) -> Traced:
        token, origin = self._tokens[place], self._origins[place]
        at = None if origin is Origin.USER else token.at - self._sent(place)
        return Traced(place, token.id, token.text, origin, at, self.gap(place), token.observed, self.rejected(place))

    def observed_at(self, place: int) -> Observed | None:
        return self._tokens[place].observed

    def rejected(self, place: int) -> str:
        """What the draft model proposed for a token and those after it, and was not taken."""
        return self._rejected.get(place, "")

    def origin(self, place: int) -> Origin:
        return self._origins[place]

    def gap(self, place: int) -> float | None:
        """Seconds since the token before it, in the same run."""
        if (
            place == 0
            or place == self._runs[self._run(place)][0]
            or Origin.USER in self._origins[place - 1 : place + 1]
        ):
            return None
        return self._tokens[place].at - self._tokens[place - 1].at

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
        end = self._runs[run + 1][0] if run + 1 < len(self._runs) else len(self._tokens)
        return range(self._runs[run][0], end)

    def arrivals(self, places: range) -> list[float]:
        """When neighbouring tokens of one run came, in seconds since its Send."""
        sent = self._sent(places.start) if places else 0.0
        return [token.at - sent for token in self._tokens[places.start : places.stop]]

    def group(self, place: int) -> range:
        """The tokens that form one character together with this one: those before the last of them have no text."""
        last = place
        while not self._tokens[last].text and last + 1 < len(self._tokens):
            last += 1
        if not self._tokens[last].text:
            return range(place, place + 1)
        first = min(place, last)
        while first and not self._tokens[first - 1].text:
            first -= 1
        return range(first, last + 1)

    def stretch(self, first: int, last: int) -> Stretch:
        """What is said of the tokens from `first` to `last`, both included."""
        gaps = sorted(gap for place in range(first, last + 1) if (gap := self.gap(place)) is not None)
        if not gaps:
            return Stretch(first, last, None, None)
        return Stretch(first, last, sum(gaps) / len(gaps), percentile(gaps, 95))

    def seen(self, place: int) -> Place | None:
        """What the reader sees of a token; None where that is nothing."""
        start, end = self._starts[place], self._starts[place] + len(self._tokens[place].text)
        for reasoning, stream in enumerate(self._streams):
            if (found := stream.seen(start, end)) is not None:
                return Place(bool(reasoning), *found)
        return None

    def place_at(self, reasoning: bool, offset: int) -> int | None:
        """The token behind a character of what the reader sees."""
        written = self._streams[reasoning].written(offset)
        return None if written is None else bisect_right(self._starts, written) - 1

    def written_before(self, place: int) -> int:
        """How many characters were written before a token."""
        return self._starts[place] if place < len(self._starts) else self._written

    def _run(self, place: int) -> int:
        return bisect_right(self._runs, place, key=lambda run: run[0]) - 1

    def _sent(self, place: int) -> float:
        return self._runs[self._run(place)][1]


def _chosen(observed: Observed | None, token_id: int) -> Observed | None:
    """The same look at the choice, had it fallen on this token; None where that was not among the candidates."""
    found = _find_candidate(observed, token_id) if observed is not None else None
    return replace(observed, chosen=found[1], rank=found[0]) if observed is not None and found is not None else None


def _find_candidate(observed: Observed, token_id: int) -> tuple[int, Candidate] | None:
    if observed.chosen.id == token_id:
        return observed.rank, observed.chosen
    return next(((rank, each) for rank, each in enumerate(observed.top, start=1) if each.id == token_id), None)
