"""Simulated studies of prompt sets: intervals hold the truth as often as they promise, and false alarms are rare."""

from statistics import mean
from typing import NamedTuple

from tests.evaluation.simulated import (
    RATES,
    ROWS,
    STEPS,
    STUBBORN,
    alarms,
    bootstrap_held,
    differing,
    error,
    grid,
    planted,
    rate_held,
    repeated_differing,
    repeated_held,
    voted,
)

FEWEST, MOST = 0.93, 0.97
"""In so many studies, over all rates, a range of 95 % may hold the truth."""
REPEATED = (30, 100)
LIKED, TIES = (0.5, 0.7, 0.8, 0.85, 0.95), (0.0, 0.05, 0.2)
AMONG = {1: "two variants", 3: "three variants"}


class Row(NamedTuple):
    """What was tried, how often, and what did not hold."""

    tried: str
    times: int
    lost: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        return not self.lost


def rows(studies: int) -> list[Row]:
    made = [_held(f"rates, {each} rows", [rate_held(each, rate, studies) for rate in RATES], studies) for each in ROWS]
    for each in ROWS:
        found = [differing(each, *cell, studies) for cell in grid()]
        made.append(_held(f"differences, {each} rows", [held for held, _ in found], studies))
        none = [told for (_, told), (_, step, _) in zip(found, grid(), strict=True) if step == 0]
        made.append(_alarms(f"no difference, {each} rows", none, studies))
    poor, good = (held(30, 0.05, 0.03, 0.6, studies) for held in (bootstrap_held, lambda *cell: differing(*cell)[0]))
    lost = () if poor < FEWEST <= good else ("the bootstrap would do",)
    told = f"5 and 8 % of 30 rows: {good:.1%} hold the truth, the bootstrap's percentiles {poor:.1%}"
    made.append(Row(told, studies, lost))
    for each in REPEATED:
        made += _repeated(each, max(1, studies // 5))
    made += [
        _alarms(f"no difference of three variants, {each} rows", [alarms(each, 3, 0.5, studies)], studies)
        for each in (30, 100)
    ]
    made += [_planted(each, among, studies) for each in ROWS for among in AMONG]
    return made + [_voted(liked, ties, max(1, studies // 5)) for liked in LIKED for ties in TIES]


def _held(what: str, shares: list[float], studies: int) -> Row:
    middle = mean(shares)
    lost = () if FEWEST <= middle <= MOST else (f"{middle:.1%} on average",)
    told = f"{what}: {middle:.1%} hold the truth ({min(shares):.1%} to {max(shares):.1%})"
    return Row(told, studies * len(shares), lost)


def _alarms(what: str, shares: list[float], studies: int) -> Row:
    lost = tuple(f"{each:.1%}" for each in shares if each > 0.05 + error(0.05, studies))
    return Row(f"{what}: {max(shares):.1%} at most tell one", studies * len(shares), lost)


def _repeated(count: int, studies: int) -> list[Row]:
    """Each row is asked five times."""
    made = []
    for alike in STUBBORN:
        what = f"{count} rows five times, {alike:.0%} alike"
        made.append(_held(f"rates, {what}", [repeated_held(count, rate, alike, studies) for rate in RATES], studies))
        cells = [(rate, step if rate < 0.5 else -step) for rate in RATES for step in STEPS]
        found = [repeated_differing(count, *cell, alike, studies) for cell in cells]
        made.append(_held(f"differences, {what}", [held for held, _ in found], studies))
        none = [told for (_, told), (_, step) in zip(found, cells, strict=True) if step == 0]
        made.append(_alarms(f"no difference, {what}", none, studies))
    return made


def _planted(count: int, among: int, studies: int) -> Row:
    found, step = planted(count, studies, among)
    lost = () if found >= 0.8 - error(0.8, studies) else (f"only {found:.1%}",)
    return Row(f"{100 * step:.0f} points, {count} rows, {AMONG[among]}: {found:.1%} tell it", studies, lost)


def _voted(liked: float, ties: float, studies: int) -> Row:
    """Ended as soon as the range is narrow: it holds the truth all the same."""
    held, votes = voted(liked, ties, studies)
    lost = () if held >= FEWEST - error(FEWEST, studies) else (f"only {held:.1%}",)
    what = f"votes until it is enough, {liked:.0%} for one, {ties:.0%} ties"
    return Row(f"{what}: {held:.1%} hold it, {votes:.0f} votes", studies, lost)
