"""The tokens of one run as the speed graph has them: each at a place on its axis, and told in words. No Qt."""

import math
from bisect import bisect_left
from collections.abc import Iterator

from app.engine.meter.curve import Curve, kept_curve
from app.engine.meter.speeds import reach, speed_now
from app.engine.meter.trace import Origin, Trace
from app.i18n import tr
from app.number_format import duration, short_duration, speed
from app.ui.widgets.plots.speed_curve import Axis

LONGEST_STEP = 32
"""More tokens than a draft model ever proposes at once."""
CLEARLY = 2.0
"""How many times slower than the nearest token a neighbour is that was meant rather than that one."""


class RunTokens:
    """Looks into a trace, which may be growing; nothing is copied, so a token costs nothing until it is asked for.

    Tokens go by their index in the run. Those that the user put in before the others never came, and have no place.
    """

    def __init__(self, trace: Trace, run: int) -> None:
        self._trace = trace
        self._run = run

    def __len__(self) -> int:
        return len(self._trace.places(self._run))

    def shows(self, trace: Trace, run: int) -> bool:
        return self._trace is trace and self._run == run

    @property
    def places(self) -> range:
        """Where they stand in the answer."""
        return self._trace.places(self._run)

    @property
    def came(self) -> range:
        """The indices of those that the model wrote."""
        places = self.places
        given = 0
        while given < len(places) and self._trace.origin(places[given]) is Origin.USER:
            given += 1
        return range(given, len(places))

    def x(self, index: int, axis: Axis) -> float | None:
        """Where on the axis a token is."""
        came = self.came
        if index not in came:
            return None
        return self._seconds(index) if axis is Axis.TIME else float(index - came.start + 1)

    def nearest(self, x: float, axis: Axis) -> int | None:
        """The token whose place on the axis is nearest."""
        came = self.came
        if not came:
            return None
        if axis is Axis.TOKENS:
            return came[min(max(0, round(x) - 1), len(came) - 1)]
        after = came[min(bisect_left(came, x, key=self._seconds), len(came) - 1)]
        before = max(after - 1, came.start)
        return before if x - self._seconds(before) < self._seconds(after) - x else after

    def meant(self, x: float, reach: float, axis: Axis) -> int | None:
        """The token that is meant at `x`: the nearest, unless one within reach took clearly longer to come."""
        near = self.nearest(x, axis)
        low, high = self.nearest(x - reach, axis), self.nearest(x + reach, axis)
        if near is None or low is None or high is None:
            return None
        slowest = max(range(low, high + 1), key=lambda index: self.gap(index) or 0.0)
        usual, longest = self.gap(near), self.gap(slowest)
        return slowest if usual is not None and longest is not None and longest >= CLEARLY * usual else near

    def gap(self, index: int) -> float | None:
        return self._trace.gap(self.places[index])

    def speed(self, index: int) -> float | None:
        """Speed now, when this token came."""
        places, came = self.places, self.came
        count = index - came.start + 1
        near = places[max(came.start, index + 1 - reach(count) - LONGEST_STEP) : index + 1]
        return speed_now(self._trace.arrivals(near), self._trace.drafts(near), count=count)

    def told(self, index: int) -> str:
        """token 120 · 1.24 s · gap 9.1 ms · 812 tok/s"""
        came = self.came
        if index not in came:
            return tr("put in by you")
        gap, now = self.gap(index), self.speed(index)
        words = [
            tr("token {number}").format(number=numbered(index - came.start, self.places[index])),
            duration(self._seconds(index)),
        ]
        words += [tr("gap {time}").format(time=short_duration(gap))] if gap is not None else []
        words += [tr("{speed} tok/s").format(speed=speed(now))] if now is not None else []
        return " · ".join(words)

    def stretch_told(self, first: int, last: int) -> tuple[str, str]:
        """tokens 40–96: mean 9.1 ms, p95 14 ms between tokens; and, for where there is no room, without the last two"""
        places, given = self.places, self.came.start
        stretch = self._trace.stretch(places[first], places[last])
        which = numbered(first - given, places[first], last - first)
        name = tr("tokens {which}", "token {which}", last - first + 1).format(which=which)
        if stretch.mean is None or stretch.p95 is None:
            return name, name
        words = tr("{tokens}: mean {mean}, p95 {p95} between tokens")
        if stretch.drafted:
            words = tr("{tokens}: mean {mean}, p95 {p95} between steps")
        times = {"mean": short_duration(stretch.mean), "p95": short_duration(stretch.p95)}
        brief = tr("{tokens}: mean {mean}, p95 {p95}")
        return words.format(tokens=name, **times), brief.format(tokens=name, **times)

    @property
    def observed(self) -> bool:
        """Whether it was recorded how likely the end was. It is for all tokens of a run, or for none."""
        came, places = self.came, self.places
        first = self._trace.observed_at(places[came.start]) if came else None
        return first is not None and not math.isnan(first.eos_probability)

    def end_probabilities(self, indices: range) -> Iterator[tuple[int, float, float]]:
        """Index, seconds, and how likely the end was there, of those neighbours that were recorded."""
        places = self.places[indices.start : indices.stop]
        for index, place, seconds in zip(indices, places, self._trace.arrivals(places), strict=True):
            observed = self._trace.observed_at(place)
            if observed is not None and not math.isnan(observed.eos_probability):
                yield index, seconds, observed.eos_probability

    def curve(self) -> Curve:
        """The run's curve, as it was drawn while it went on."""
        came = self.places[self.came.start :]
        return kept_curve(self._trace.arrivals(came), self._trace.drafts(came))

    def csv(self) -> str:
        """Every token, as a table for other programs."""
        rows = ["index,id,seconds,gap,end_probability"]
        for index, place in enumerate(self.places):
            token = self._trace.token(place)
            ends = token.observed.eos_probability if token.observed is not None else None
            numbers = (_cell(token.at), _cell(token.gap), _cell(ends))
            rows.append(",".join((str(index), str(token.id), *numbers)))
        return "\n".join(rows) + "\n"

    def _seconds(self, index: int) -> float:
        place = self.places[index]
        return self._trace.arrivals(range(place, place + 1))[0]


def numbered(index: int, place: int, more: int = 0) -> str:
    """120, or 3 (8 of the answer): which of the run's tokens and, where that is another number, which of the answer's.

    With as many `more` behind it: 40–96, or 3–5 (8–10 of the answer). Both count from 1.
    """
    own, all_of_it = (f"{first + 1:,}{f'–{first + more + 1:,}' if more else ''}" for first in (index, place))
    return own if own == all_of_it else tr("{own} ({of_all} of the answer)").format(own=own, of_all=all_of_it)


def _cell(number: float | None) -> str:
    return "" if number is None or math.isnan(number) else f"{number:.6f}"
