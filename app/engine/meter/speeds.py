"""Every number about a run that is arithmetic over arrival times, each defined once, in seconds of our own clock."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from app.engine.types import Drafted, Finish, Times

WINDOW_S, WINDOW_TOKENS, WINDOW_SHARE = 1.0, 8, 0.15
"""What "now" means in "speed now": so many of the last tokens or that share of all, and no more than a second."""
ROUNDING_S = 1e-6
"""By which times that are counted from Send may differ from those that are not."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """Percentiles of the seconds between arrivals; with a draft model between steps, since a step's tokens burst."""

    p50: float
    p95: float
    p99: float


def rate(count: float, seconds: float) -> float | None:
    """`count` per second; None where no time passed, since then there is no speed to tell."""
    return count / seconds if count > 0 and seconds > 0 else None


def prompt_speed(new: int, seconds: float) -> float | None:
    """Tokens prefilled ÷ prefill time. The last prompt token is left out: its pass is the first decode step."""
    return rate(new - 1, seconds)


def reach(count: int) -> int:
    """How many of the last tokens "now" spans when there are so many in all, unless they took more than a second."""
    return max(WINDOW_TOKENS, ceil(WINDOW_SHARE * count))


def speed_now(
    arrivals: Sequence[float], from_draft: Sequence[int] = (), now: float | None = None, count: int | None = None
) -> float | None:
    """The last tokens ÷ their time, at least 2 of them; with a draft model whole steps, since a step's tokens burst.

    With `now`, a wait for the next token lowers the figure: it is no more than if that token came at once. Where
    `arrivals` are the last ones alone, `count` is how many there are in all.
    """
    there = len(arrivals)
    count, last = there if count is None else count, _step_begin(there - 1, from_draft)
    if last < 1:
        return None
    speed = _speed_at(last, arrivals[last], there - reach(count), arrivals, from_draft)
    if now is None or speed is None:
        return speed
    bound = _speed_at(there, now, there + 1 - reach(count + 1), arrivals, from_draft)
    return speed if bound is None else min(speed, bound)


def _speed_at(last: int, end: float, first: int, arrivals: Sequence[float], from_draft: Sequence[int]) -> float | None:
    """Of the token `last`, which came at `end` or would; `first` is where what counts begins, or later."""
    first = bisect_left(arrivals, end - WINDOW_S - ROUNDING_S, max(0, first))
    first = min(first, last - 1)
    while first < last and from_draft and first and from_draft[first - 1]:
        first += 1
    first = first if first < last else _step_begin(last - 1, from_draft)
    return rate(last - first, end - arrivals[first])


def _step_begin(index: int, from_draft: Sequence[int]) -> int:
    """Where the step begins that a token is of: accepted drafts come before the target's own one."""
    while index > 0 and from_draft and from_draft[index - 1]:
        index -= 1
    return index


def mean_speed(count: int, first: float, last: float) -> float | None:
    """(n − 1) ÷ (arrival of token n − arrival of token 1); undefined for one token."""
    return rate(count - 1, last - first)


def end_to_end_speed(count: int, sent: float, last: float) -> float | None:
    """n ÷ (last arrival − Send): what the user waited for, prefill included."""
    return rate(count, last - sent)


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The value below which `percent` of the sorted, non-empty list lies, interpolated between neighbours."""
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def step_arrivals(arrivals: Sequence[float], from_draft: Sequence[int]) -> list[float]:
    """Arrival of each step's first token. A step is its accepted draft tokens and the target's own one after them."""
    return [at for index, at in enumerate(arrivals) if index == 0 or not from_draft[index - 1]]


def gaps(arrivals: Sequence[float], from_draft: Sequence[int]) -> Gaps | None:
    """Percentiles of the time between steps; None for fewer than two."""
    steps = step_arrivals(arrivals, from_draft)
    between = sorted(later - earlier for earlier, later in pairwise(steps))
    if not between:
        return None
    return Gaps(percentile(between, 50), percentile(between, 95), percentile(between, 99))


def remaining_seconds(done: int, total: int, started: float, at: float) -> float | None:
    """How long the rest of a prefill will take at the speed so far; None before there is one."""
    so_far = rate(done, at - started)
    return None if so_far is None or total <= 0 else max(0, total - done) / so_far


def stop_latency(times: Times) -> float | None:
    """Seconds from the click on Stop to the moment that the worker's loop had ended."""
    return max(0.0, times.ended - times.stop_asked) if times.stop_asked else None


def acceptance(drafted: Drafted) -> float | None:
    """Accepted ÷ proposed draft tokens."""
    return drafted.accepted / drafted.proposed if drafted.proposed else None


def tokens_per_step(tokens: int, drafted: Drafted) -> float | None:
    """How many tokens one pass of the target model brought."""
    return tokens / drafted.steps if drafted.steps else None


def observing_share(finish: Finish) -> float | None:
    """Observing ÷ the time from the end of the prefill to the end of the run, all that can be observed in; or None.

    Only what observing itself takes: that the model goes on with colder caches after it is not in it.
    """
    times = finish.times
    return rate(finish.observing, times.ended - (times.prefill_ended or times.sent))
