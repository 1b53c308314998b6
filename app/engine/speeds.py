"""Every number about a run that is arithmetic over arrival times, each defined once, in seconds of our own clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.engine.types import Drafted, Finish, Times

WINDOW_S = 1.0
"""What "now" means in "speed now"."""


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


def window_start(arrivals: Sequence[float], hint: int = 0) -> int:
    """Index where the last second begins, at least the last 2 tokens. `hint` is an earlier answer, to go on from."""
    last = len(arrivals) - 1
    oldest = arrivals[last] - WINDOW_S
    while hint < last - 1 and arrivals[hint] < oldest:
        hint += 1
    return hint


def speed_now(arrivals: Sequence[float], hint: int = 0, now: float | None = None) -> float | None:
    """Tokens in the last second of decoding ÷ that time.

    With `now`, a wait for the next token lowers the figure: it can't be more than if that token came at once.
    """
    if len(arrivals) < 2:
        return None
    start = window_start(arrivals, hint)
    speed = rate(len(arrivals) - 1 - start, arrivals[-1] - arrivals[start])
    if now is None or speed is None:
        return speed
    bound = rate(len(arrivals) - start, now - arrivals[start])
    return speed if bound is None else min(speed, bound)


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
