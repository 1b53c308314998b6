"""Stretches of one run with the window and without, in turn: which of them count, and what their ratios say."""

import os
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.bench.lengths import length

SEGMENT_S = length(0.4, 0.02)
FEWEST_PAIRS = 8
"""With fewer clean ones nothing is said."""
WANTED_PAIRS = int(os.environ.get("SLUICE_BENCH_PAIRS", length(12, 1)))
PATIENCE = 2
"""So many times the wanted pairs are measured at most, to find enough clean ones."""
DISTURBED = 0.15
"""Processors' time that others took in a segment, as a share of it, beyond which it says more about them. The system
counts it in hundredths of a second."""
UNSTEADY = 0.1
"""Where the system doesn't tell that: how far a bare segment may be from the usual bare speed."""


@dataclass(frozen=True, slots=True)
class Segment:
    """`others`: processors' time that other processes took, as a share of it; None where nobody tells."""

    tokens: int
    seconds: float
    others: float | None

    @property
    def speed(self) -> float:
        return self.tokens / self.seconds


@dataclass(frozen=True, slots=True)
class Pair:
    """Two segments, one right after the other."""

    bare: Segment
    window: Segment

    @property
    def whole(self) -> bool:
        """Whether both segments saw tokens come; on a machine that stands still one may not."""
        return all(segment.tokens and segment.seconds for segment in (self.bare, self.window))

    @property
    def ratio(self) -> float:
        return self.window.speed / self.bare.speed


@dataclass(frozen=True, slots=True)
class Ratio:
    """What the clean pairs say; `value` None: there are too few of them."""

    value: float | None
    clean: int
    pairs: int
    lowest: float
    highest: float
    of_all: float
    """The median of all pairs: a hint where nothing can be said."""
    speed: float
    """Tokens/s of the bare segments."""

    def detail(self) -> dict[str, Any]:
        found = {"pairs": self.pairs, "clean_pairs": self.clean, "bare_tokens_per_second": round(self.speed, 1)}
        if self.value is None:
            found["ratio_of_disturbed_pairs"] = round(self.of_all, 3)
            return found | {"why": f"only {self.clean} of {self.pairs} pairs were undisturbed by the machine"}
        return found | {"ratio": self.value, "lowest": round(self.lowest, 3), "highest": round(self.highest, 3)}


def window_first(number: int) -> bool:
    """A-B-B-A: every second pair the other way round, so that what drifts with time falls on both alike."""
    return number % 2 == 1


def clean(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs that the machine left alone."""
    pairs = [pair for pair in pairs if pair.whole]
    if not pairs:
        return []
    usual = statistics.median(pair.bare.speed for pair in pairs)
    return [pair for pair in pairs if _is_clean(pair, usual)]


def enough(pairs: Sequence[Pair], wanted: int) -> bool:
    """Whether to end: enough clean pairs, or no hope for them. What the ratios are has no part in it."""
    return len(clean(pairs)) >= wanted or len(pairs) >= PATIENCE * wanted


def ratio_of(pairs: Sequence[Pair], fewest: int = FEWEST_PAIRS) -> Ratio:
    pairs = [pair for pair in pairs if pair.whole]
    kept = clean(pairs)
    ratios = [pair.ratio for pair in kept]
    return Ratio(
        value=statistics.median(ratios) if len(kept) >= fewest else None,
        clean=len(kept),
        pairs=len(pairs),
        lowest=min(ratios, default=0.0),
        highest=max(ratios, default=0.0),
        of_all=statistics.median(pair.ratio for pair in pairs) if pairs else 0.0,
        speed=statistics.median(pair.bare.speed for pair in pairs) if pairs else 0.0,
    )


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest value that `share` of all don't exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def closeness(ratio: float) -> float:
    """How near a ratio is to one, from either side: one is perfect."""
    return 1.0 - abs(1.0 - ratio)


def told(clean: float | None, everything: float, bar: float | None) -> float | None:
    """What to say of delays: where too few samples are clean, all of them, if even so the bar is kept.

    A busy machine only ever makes them longer.
    """
    if clean is None and bar is not None and everything <= bar:
        return everything
    return clean


def _is_clean(pair: Pair, usual: float) -> bool:
    others = [segment.others for segment in (pair.bare, pair.window) if segment.others is not None]
    if others:
        return max(others) <= DISTURBED
    return abs(pair.bare.speed / usual - 1.0) <= UNSTEADY
