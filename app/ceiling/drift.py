"""Whether something has become slower since an update: exact rank tests over a few measurements of each kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

CHANCE = 0.05
"""How often, at most, scatter alone makes any of the differences that are told of one update."""
SMALLEST = 0.05
"""What has changed by less is told to nobody: a machine is as much apart from itself from one day to the next."""


@dataclass(frozen=True, slots=True)
class Change:
    """One probe that takes longer, or less long, than before."""

    name: str
    ratio: float
    """Of the middle times: above 1 it is slower now."""
    beyond: int
    """So many of the measurements now lie beyond the middle of those before, on the side of the change."""
    of: int
    chance: float
    """That scatter alone tells as much of one probe."""


def chance_of(before: Sequence[float], now: Sequence[float]) -> float:
    """Mann and Whitney's test, exact and of both sides: the share of all ways to deal the ranks that tell as much."""
    pooled = sorted((*before, *now))
    ranks = [pooled.index(each) + (pooled.count(each) + 1) / 2 for each in (*before, *now)]
    usual = len(now) * (len(pooled) + 1) / 2
    seen = abs(sum(ranks[len(before) :]) - usual)
    dealt = [abs(sum(each) - usual) for each in combinations(ranks, len(now))]
    return sum(each >= seen - 1e-9 for each in dealt) / len(dealt)


def changes(before: Mapping[str, Sequence[float]], now: Mapping[str, Sequence[float]]) -> tuple[Change, ...]:
    """Those that scatter does not explain, by Holm's correction for the number of probes; the surest ones first."""
    probed = [_change(name, before[name], now[name]) for name in now if before.get(name) and now[name]]
    told, left = [], len(probed)
    for each in sorted(probed, key=lambda change: change.chance):
        if each.chance * left > CHANCE:
            break
        left -= 1
        if abs(each.ratio - 1) >= SMALLEST:
            told.append(each)
    return tuple(told)


def _change(name: str, before: Sequence[float], now: Sequence[float]) -> Change:
    middle = median(before)
    ratio = median(now) / middle
    beyond = sum((each > middle) is (ratio > 1) for each in now)
    return Change(name, ratio, beyond, len(now), chance_of(before, now))
