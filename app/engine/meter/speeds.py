"""The speeds and latencies of a run, each defined once, and its speed curve; times in seconds."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, repeat
from math import ceil

from app.engine.types import DraftStats, Finish, Times, ValueRange

WINDOW_S, WINDOW_TOKENS, WINDOW_SHARE = 1.0, 8, 0.15
"""Window of the current speed: this many of the last tokens or this share of all, but at most a second."""
QUARTILES = 25, 50, 75
ROUNDING_S = 1e-6
"""Tolerance in seconds: times since Send are rounded differently from clock times."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the speed curve: seconds since Send, number of tokens so far, current speed."""

    seconds: float
    tokens: int
    speed: float


@dataclass(frozen=True, slots=True)
class LatencyPercentiles:
    """Percentiles of the inter-token latency in seconds; with a draft model of the time between steps."""

    p50: float
    p95: float
    p99: float


def rate(count: float, seconds: float) -> float | None:
    return count / seconds if count > 0 and seconds > 0 else None


def window_tokens(count: int) -> int:
    """Return the size of the speed window for this number of tokens, before the limit of a second."""
    return max(WINDOW_TOKENS, ceil(WINDOW_SHARE * count))


def speed_now(
    arrivals: Sequence[float], from_draft: Sequence[int] = (), now: float | None = None, count: int | None = None
) -> float | None:
    """Return the tokens per second of the last tokens (at least 2; with a draft model, complete steps only).

    With `now`, the time since the last token counts, too: the result is at most the speed if a token arrived now.
    `count` is the number of all tokens if `arrivals` has only the last ones.
    """
    there = len(arrivals)
    count, last = there if count is None else count, _step_begin(there - 1, from_draft)
    if last < 1:
        return None
    speed = _speed_at(last, arrivals[last], there - window_tokens(count), arrivals, from_draft)
    if now is None or speed is None:
        return speed
    bound = _speed_at(there, now, there + 1 - window_tokens(count + 1), arrivals, from_draft)
    return speed if bound is None else min(speed, bound)


def _speed_at(last: int, end: float, first: int, arrivals: Sequence[float], from_draft: Sequence[int]) -> float | None:
    """Return the speed at the token `last`, which arrived at `end`; its window begins at `first` or later."""
    first = bisect_left(arrivals, end - WINDOW_S - ROUNDING_S, max(0, first))
    first = min(first, last - 1)
    while first < last and from_draft and first and from_draft[first - 1]:
        first += 1
    first = first if first < last else _step_begin(last - 1, from_draft)
    return rate(last - first, end - arrivals[first])


def _step_begin(index: int, from_draft: Sequence[int]) -> int:
    """Return the index of the first token of a step: accepted drafts come before the target model's token."""
    while index > 0 and from_draft and from_draft[index - 1]:
        index -= 1
    return index


def mean_speed(count: int, first: float, last: float) -> float | None:
    """Return (n − 1) ÷ (arrival of token n − arrival of token 1); None for one token."""
    return rate(count - 1, last - first)


def end_to_end_speed(count: int, sent: float, last: float) -> float | None:
    """Return n ÷ (last arrival − Send), prefill included."""
    return rate(count, last - sent)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Return a percentile of a sorted, non-empty list, with linear interpolation."""
    position = (len(ordered) - 1) * percent / 100
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def value_range(values: Iterable[float]) -> ValueRange:
    ordered = sorted(values)
    return ValueRange(*(percentile(ordered, percent) for percent in QUARTILES))


def step_arrivals(arrivals: Sequence[float], from_draft: Sequence[int]) -> list[float]:
    """Return the arrival of each step's first token.

    A step is its accepted drafts and then the target model's own token.
    """
    return [at for index, at in enumerate(arrivals) if index == 0 or not from_draft[index - 1]]


def gaps(arrivals: Sequence[float], from_draft: Sequence[int]) -> LatencyPercentiles | None:
    """Return percentiles of the time between steps; None for fewer than two."""
    steps = step_arrivals(arrivals, from_draft)
    between = sorted(later - earlier for earlier, later in pairwise(steps))
    if not between:
        return None
    return LatencyPercentiles(percentile(between, 50), percentile(between, 95), percentile(between, 99))


def remaining_seconds(done: int, total: int, started: float, at: float) -> float | None:
    """Estimate the seconds left of a prefill from its speed so far; None without a speed."""
    so_far = rate(done, at - started)
    return None if so_far is None or total <= 0 else max(0, total - done) / so_far


def stop_latency(times: Times) -> float | None:
    """Return the seconds from the click on Stop to the end of the worker's loop; None without a stop."""
    return max(0.0, times.ended - times.stop_asked) if times.stop_asked else None


def acceptance(drafted: DraftStats) -> float | None:
    """Return accepted ÷ proposed draft tokens; None if none was proposed."""
    return drafted.accepted / drafted.proposed if drafted.proposed else None


def tokens_per_step(tokens: int, drafted: DraftStats) -> float | None:
    """Return generated tokens ÷ steps of the target model."""
    return tokens / drafted.steps if drafted.steps else None


def recording_share(finish: Finish) -> float | None:
    """Return the share of time for recording logprobs, from the end of the prefill to the end of the run.

    None if one of them is 0. The effect on the processor's caches is not included.
    """
    times = finish.times
    return rate(finish.observing, times.ended - (times.prefill_ended or times.sent))


POINT_S = 0.02
"""Minimum seconds between two points: on screen a second has a few hundred pixels at most."""
LONGER = 1.4
"""In a pause, the time from the last token to the next point grows by this factor: 19 points in ten seconds."""
LOWERED = 0.9
"""A wait counts as a pause when the speed is below this share of the speed before it."""


class Curve:
    """The points of a speed curve. A reader of `points` clears the list."""

    def __init__(self, sent: float) -> None:
        self._sent = sent
        self.arrivals = array("d")
        self.drafts = bytearray()
        """1 for each token that a draft model proposed, else 0."""
        self.points: list[Point] = []
        self._pointed = 0
        self._pointed_at = float("-inf")
        self._due = 0.0
        self._wait = POINT_S

    def add(self, at: float, from_draft: bool = False) -> None:
        self.wait(at)
        self._wait = POINT_S
        self.arrivals.append(at)
        self.drafts.append(from_draft)
        if at >= self._due:
            self._point(at, self.speed())

    def wait(self, now: float) -> None:
        """Add the points of a wait until now. They don't depend on the number of calls."""
        usual: float | None = None
        while self.arrivals and (at := self.arrivals[-1] + self._wait) < now:
            self._wait *= LONGER
            usual, speed = usual or self.speed(), self.speed(at)
            if usual is not None and speed is not None and speed < LOWERED * usual:
                self.end()
                self._point(at, speed)
                self._due = at

    def end(self) -> None:
        """Add a point at the last token."""
        if self._pointed < len(self.arrivals):
            self._point(self.arrivals[-1], self.speed())

    def speed(self, now: float | None = None) -> float | None:
        return speed_now(self.arrivals, self.drafts, now)

    def _point(self, at: float, speed: float | None) -> None:
        """Add a point, unless a later one exists: tokens are folded late."""
        if speed is not None and at >= self._pointed_at:
            self.points.append(Point(at - self._sent, len(self.arrivals), speed))
            self._pointed, self._pointed_at, self._due = len(self.arrivals), at, at + POINT_S


def recorded_curve(arrivals: Iterable[float], from_draft: Iterable[int] = ()) -> Curve:
    """Return the curve of a recorded run; `arrivals` are seconds since Send."""
    curve = Curve(0.0)
    for at, draft in zip(arrivals, chain(from_draft, repeat(0)), strict=False):
        curve.add(at, bool(draft))
    curve.end()
    return curve
