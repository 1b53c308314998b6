"""The tokens of one run on the speed graph: positions, descriptions and EOS probabilities. No Qt."""

import math
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from app.engine.meter.speeds import Curve, recorded_curve, speed_now, window_tokens
from app.engine.meter.trace import Origin, Trace
from app.i18n import tr
from app.number_format import chance, duration, short_duration, speed
from app.ui.widgets.plots.speed_curve import CurveAxis, Line, ThinnedCurve

LONGEST_STEP = 32
"""Upper bound of the tokens in one speculative step."""
SLOW_FACTOR = 2.0
"""A click selects a slow token in its radius if its latency is at least this multiple of the nearest token's."""
NO_TOKENS = tr("No EOS probability: no tokens are shown yet.")
UNRECORDED = tr(
    "No EOS probability: this run recorded no alternatives. Turn on “Record alternatives” for the next run."
)


class EosPoint(NamedTuple):
    """The EOS probability at a token. `number` counts the tokens of the run from 1."""

    number: int
    position: int
    """Index in the answer, from 0."""
    seconds: float
    probability: float


class RunTokenView:
    """A view of one run of a trace, which may grow. Copies no tokens.

    `index` counts the tokens of the run from 0. Inserted tokens have no arrival time, so they have no x value.
    """

    def __init__(self, trace: Trace, run: int) -> None:
        self.trace = trace
        self.run = run

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def positions(self) -> range:
        """Indexes of its tokens in the answer."""
        return self.trace.positions(self.run)

    @property
    def generated(self) -> range:
        """Indexes of the tokens that the model generated."""
        positions = self.positions
        first = 0
        while first < len(positions) and self.trace.origin(positions[first]) is Origin.USER:
            first += 1
        return range(first, len(positions))

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
        """Return the nearest token, or the slowest one within `reach` if it was clearly slower."""
        near = self.nearest(x, axis)
        low, high = self.nearest(x - reach, axis), self.nearest(x + reach, axis)
        if near is None or low is None or high is None:
            return None
        slowest = max(range(low, high + 1), key=lambda index: self.latency(index) or 0.0)
        usual, longest = self.latency(near), self.latency(slowest)
        return slowest if usual is not None and longest is not None and longest >= SLOW_FACTOR * usual else near

    def latency(self, index: int) -> float | None:
        """Return the inter-token latency in seconds; None for the first token."""
        return self.trace.gap(self.positions[index])

    def speed(self, index: int) -> float | None:
        """Return the current speed in tok/s when this token arrived."""
        positions, generated = self.positions, self.generated
        count = index - generated.start + 1
        near = positions[max(generated.start, index + 1 - window_tokens(count) - LONGEST_STEP) : index + 1]
        return speed_now(self.trace.arrivals(near), self.trace.drafts(near), count=count)

    def describe(self, index: int) -> str:
        """Return “token 120 · 1.24 s · inter-token latency 9.1 ms · 812 tok/s now”."""
        generated = self.generated
        if index not in generated:
            return tr("inserted by you")
        latency, now = self.latency(index), self.speed(index)
        words = [
            tr("token {number}").format(number=token_number(index - generated.start, self.positions[index])),
            duration(self._seconds(index)),
        ]
        words += [tr("inter-token latency {time}").format(time=short_duration(latency))] if latency is not None else []
        words += [tr("{speed} tok/s now").format(speed=speed(now))] if now is not None else []
        return " · ".join(words)

    def describe_range(self, first: int, last: int) -> str:
        """Return “tokens 40–96 · mean inter-token latency 9.1 ms · p95 14 ms”."""
        positions, begin = self.positions, self.generated.start
        times = self.trace.stretch(positions[first], positions[last])
        numbers = token_number(first - begin, positions[first], last - first)
        words = [tr("tokens {which}", "token {which}", last - first + 1).format(which=numbers)]
        if times.mean is not None and times.p95 is not None:
            mean = tr("mean latency between steps {time}") if times.drafted else tr("mean inter-token latency {time}")
            words += [mean.format(time=short_duration(times.mean))]
            words += [tr("p95 {time}").format(time=short_duration(times.p95))]
        return " · ".join(words)

    @property
    def has_eos_probability(self) -> bool:
        """True if alternatives were recorded. A run records them for all tokens or for none."""
        generated, positions = self.generated, self.positions
        first = self.trace.logprobs_at(positions[generated.start]) if generated else None
        return first is not None and not math.isnan(first.eos_probability)

    def eos_points(self, indices: range) -> Iterator[EosPoint]:
        """Yield the EOS probabilities of the tokens with recorded alternatives."""
        begin, positions = self.generated.start, self.positions[indices.start : indices.stop]
        for index, position, seconds in zip(indices, positions, self.trace.arrivals(positions), strict=True):
            observed = self.trace.logprobs_at(position)
            if observed is not None and not math.isnan(observed.eos_probability):
                yield EosPoint(index - begin + 1, position, seconds, observed.eos_probability)

    def curve(self) -> Curve:
        """Return the speed curve of the run, identical to the one during the run."""
        generated = self.positions[self.generated.start :]
        return recorded_curve(self.trace.arrivals(generated), self.trace.drafts(generated))

    def csv(self) -> str:
        rows = ["index,id,seconds,gap,end_probability"]
        for index, position in enumerate(self.positions):
            token = self.trace.token(position)
            eos = token.observed.eos_probability if token.observed is not None else None
            rows.append(",".join((str(index), str(token.id), *map(_cell, (token.at, token.gap, eos)))))
        return "\n".join(rows) + "\n"

    def _seconds(self, index: int) -> float:
        position = self.positions[index]
        return self.trace.arrivals(range(position, position + 1))[0]


class EosCurve:
    """The EOS probability of the displayed run. `update` reads new tokens; none while the curve is off."""

    def __init__(self) -> None:
        self.is_on = False
        self.show_tokens(RunTokenView(Trace(), 0))

    def show_tokens(self, tokens: RunTokenView) -> None:
        self._tokens = tokens
        self._thinned: ThinnedCurve[EosPoint] = ThinnedCurve(lambda point: point.probability)
        self._read = 0
        self._last: EosPoint | None = None
        self.peak: EosPoint | None = None
        """The highest EOS probability before the last token."""
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
        """Return the curve with values from 0 to 1; empty while it is off."""
        drawn = self.drawn if self.is_on else []
        xs = [point.seconds if axis is CurveAxis.TIME else float(point.number) for point in drawn]
        return xs, [point.probability for point in drawn]

    @property
    def missing(self) -> str:
        """The reason for a missing EOS probability; empty if it is known."""
        if not self._tokens.generated:
            return NO_TOKENS
        return "" if self._tokens.has_eos_probability else UNRECORDED

    def describe_peak(self, words: str, least: float = 0.0) -> str:
        """Insert a text such as “120: 34 %” into `words`; empty if the peak is below `least`."""
        peak = self.peak if self.is_on else None
        if peak is None or peak.probability < least:
            return ""
        return words.format(where=f"{token_number(peak.number - 1, peak.position)}: {chance(peak.probability)}")


def token_number(index: int, position: int, more: int = 0) -> str:
    """Return the number of a token in the run, from 1, and in the answer if it differs: “120”, or “3 (8 of the
    answer)”.

    With `more` tokens after it: “40–96”, or “3–5 (8–10 of the answer)”.
    """
    own, in_answer = (f"{first + 1:,}{f'–{first + more + 1:,}' if more else ''}" for first in (index, position))
    return own if own == in_answer else tr("{own} ({of_all} of the answer)").format(own=own, of_all=in_answer)


def _cell(number: float | None) -> str:
    return "" if number is None or math.isnan(number) else f"{number:.6f}"
