"""The tokens of one run on the speed graph: their places, their numbers in words, their EOS probability. No Qt."""

import math
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from app.engine.meter.curve import Curve, kept_curve
from app.engine.meter.speeds import speed_now, window_tokens
from app.engine.meter.trace import Origin, Trace
from app.i18n import tr
from app.number_format import chance, duration, short_duration, speed
from app.ui.widgets.plots.speed_curve import CurveAxis, Line, Thinned

LONGEST_STEP = 32
"""More tokens than a draft model ever proposes at once."""
SLOW_FACTOR = 2.0
"""A click means a slow token near it if its latency is so many times that of the nearest token."""
NO_TOKENS = tr("No EOS probability: no tokens are shown yet.")
UNRECORDED = tr(
    "No EOS probability: this run recorded no alternatives. Turn on “Record alternatives” for the next run."
)


class EosPoint(NamedTuple):
    """The probability that this token would be an EOS token. `number` counts in the run from 1."""

    number: int
    place: int
    """In the answer, from 0."""
    seconds: float
    probability: float


class RunTokenView:
    """A view of one run of a trace, which may be growing; nothing is copied.

    `index` counts the tokens of the run from 0. Tokens that the user inserted never arrived, and have no place.
    """

    def __init__(self, trace: Trace, run: int) -> None:
        self.trace = trace
        self.run = run

    def __len__(self) -> int:
        return len(self.places)

    @property
    def places(self) -> range:
        """Their places in the answer."""
        return self.trace.places(self.run)

    @property
    def generated(self) -> range:
        """The indices of the tokens that the model generated."""
        places = self.places
        first = 0
        while first < len(places) and self.trace.origin(places[first]) is Origin.USER:
            first += 1
        return range(first, len(places))

    def x(self, index: int, axis: CurveAxis) -> float | None:
        generated = self.generated
        if index not in generated:
            return None
        return self._seconds(index) if axis is CurveAxis.TIME else float(index - generated.start + 1)

    def nearest(self, x: float, axis: CurveAxis) -> int | None:
        generated = self.generated
        if not generated:
            return None
        if axis is CurveAxis.TOKENS:
            return generated[min(max(0, round(x) - 1), len(generated) - 1)]
        after = generated[min(bisect_left(generated, x, key=self._seconds), len(generated) - 1)]
        before = max(after - 1, generated.start)
        return before if x - self._seconds(before) < self._seconds(after) - x else after

    def nearest_slow(self, x: float, reach: float, axis: CurveAxis) -> int | None:
        """Return the nearest token, or the slowest one within reach if that was clearly slower."""
        near = self.nearest(x, axis)
        low, high = self.nearest(x - reach, axis), self.nearest(x + reach, axis)
        if near is None or low is None or high is None:
            return None
        slowest = max(range(low, high + 1), key=lambda index: self.latency(index) or 0.0)
        usual, longest = self.latency(near), self.latency(slowest)
        return slowest if usual is not None and longest is not None and longest >= SLOW_FACTOR * usual else near

    def latency(self, index: int) -> float | None:
        """Return the inter-token latency in seconds; None for the first token."""
        return self.trace.gap(self.places[index])

    def speed(self, index: int) -> float | None:
        """Speed now, when this token arrived."""
        places, generated = self.places, self.generated
        count = index - generated.start + 1
        near = places[max(generated.start, index + 1 - window_tokens(count) - LONGEST_STEP) : index + 1]
        return speed_now(self.trace.arrivals(near), self.trace.drafts(near), count=count)

    def describe(self, index: int) -> str:
        """Return “token 120 · 1.24 s · inter-token latency 9.1 ms · 812 tok/s”."""
        generated = self.generated
        if index not in generated:
            return tr("inserted by you")
        latency, now = self.latency(index), self.speed(index)
        words = [
            tr("token {number}").format(number=token_number(index - generated.start, self.places[index])),
            duration(self._seconds(index)),
        ]
        words += [tr("inter-token latency {time}").format(time=short_duration(latency))] if latency is not None else []
        words += [tr("{speed} tok/s").format(speed=speed(now))] if now is not None else []
        return " · ".join(words)

    def describe_stretch(self, first: int, last: int) -> str:
        """Return “tokens 40–96 · mean inter-token latency 9.1 ms · p95 14 ms”."""
        places, begin = self.places, self.generated.start
        stretch = self.trace.stretch(places[first], places[last])
        numbers = token_number(first - begin, places[first], last - first)
        words = [tr("tokens {which}", "token {which}", last - first + 1).format(which=numbers)]
        if stretch.mean is not None and stretch.p95 is not None:
            mean = tr("mean latency between steps {time}") if stretch.drafted else tr("mean inter-token latency {time}")
            words += [mean.format(time=short_duration(stretch.mean))]
            words += [tr("p95 {time}").format(time=short_duration(stretch.p95))]
        return " · ".join(words)

    @property
    def has_eos_probability(self) -> bool:
        """Whether alternatives were recorded: for all tokens of a run, or for none."""
        generated, places = self.generated, self.places
        first = self.trace.observed_at(places[generated.start]) if generated else None
        return first is not None and not math.isnan(first.eos_probability)

    def eos_points(self, indices: range) -> Iterator[EosPoint]:
        """Of those neighbours that were recorded."""
        begin, places = self.generated.start, self.places[indices.start : indices.stop]
        for index, place, seconds in zip(indices, places, self.trace.arrivals(places), strict=True):
            observed = self.trace.observed_at(place)
            if observed is not None and not math.isnan(observed.eos_probability):
                yield EosPoint(index - begin + 1, place, seconds, observed.eos_probability)

    def curve(self) -> Curve:
        """Return the run's curve, the same as during the run."""
        generated = self.places[self.generated.start :]
        return kept_curve(self.trace.arrivals(generated), self.trace.drafts(generated))

    def csv(self) -> str:
        rows = ["index,id,seconds,gap,end_probability"]
        for index, place in enumerate(self.places):
            token = self.trace.token(place)
            eos = token.observed.eos_probability if token.observed is not None else None
            rows.append(",".join((str(index), str(token.id), *map(_cell, (token.at, token.gap, eos)))))
        return "\n".join(rows) + "\n"

    def _seconds(self, index: int) -> float:
        place = self.places[index]
        return self.trace.arrivals(range(place, place + 1))[0]


class EosCurve:
    """Reads the tokens of the displayed run that are new since the last `update`; none while it is off."""

    def __init__(self) -> None:
        self.is_on = False
        self.show_tokens(RunTokenView(Trace(), 0))

    def show_tokens(self, tokens: RunTokenView) -> None:
        self._tokens = tokens
        self._thinned: Thinned[EosPoint] = Thinned(lambda point: point.probability)
        self._read = 0
        self._last: EosPoint | None = None
        self.peak: EosPoint | None = None
        """The highest before the last token, at which the run did end."""
        self.drawn: list[EosPoint] = []
        self.update()

    def update(self) -> None:
        if not self.is_on:
            return
        generated = self._tokens.generated
        fresh, self._read = generated[self._read :], len(generated)
        for point in self._tokens.eos_points(fresh):
            last, self._last = self._last, point
            self._thinned.add(point)
            if last is not None and (self.peak is None or last.probability > self.peak.probability):
                self.peak = last
        if fresh:
            self.drawn = self._thinned.points()

    def line(self, axis: CurveAxis) -> Line:
        """Probabilities from 0 to 1; empty while it is off."""
        drawn = self.drawn if self.is_on else []
        xs = [point.seconds if axis is CurveAxis.TIME else float(point.number) for point in drawn]
        return xs, [point.probability for point in drawn]

    @property
    def missing(self) -> str:
        """Why there is no EOS probability; empty where there is."""
        if not self._tokens.generated:
            return NO_TOKENS
        return "" if self._tokens.has_eos_probability else UNRECORDED

    def describe_peak(self, words: str, least: float = 0.0) -> str:
        """Return the words with “120: 34 %” in them; empty where the peak is lower than `least`."""
        peak = self.peak if self.is_on else None
        if peak is None or peak.probability < least:
            return ""
        return words.format(where=f"{token_number(peak.number - 1, peak.place)}: {chance(peak.probability)}")


def token_number(index: int, place: int, more: int = 0) -> str:
    """120, or 3 (8 of the answer): the number in the run and, where it differs, in the answer, both from 1.

    With `more` tokens after it: 40–96, or 3–5 (8–10 of the answer).
    """
    own, in_answer = (f"{first + 1:,}{f'–{first + more + 1:,}' if more else ''}" for first in (index, place))
    return own if own == in_answer else tr("{own} ({of_all} of the answer)").format(own=own, of_all=in_answer)


def _cell(number: float | None) -> str:
    return "" if number is None or math.isnan(number) else f"{number:.6f}"
