"""How likely the end was at each token of a run, kept small for drawing and told in a sentence. No Qt."""

from dataclasses import dataclass
from functools import reduce
from itertools import chain, groupby

from app.engine.stop_analysis import NOTICED
from app.i18n import tr
from app.number_format import chance
from app.ui.graph.tokens import RunTokens, numbered
from app.ui.widgets.plots.speed_curve import MOST_DRAWN, Axis

NO_TOKENS = tr("No EOS probability: no tokens are shown yet.")
UNRECORDED = tr(
    "No EOS probability: this run recorded no alternatives. Turn on “Record alternatives” for the next run."
)


@dataclass(frozen=True, slots=True)
class EndPoint:
    """The probability that this token would be an EOS token."""

    number: int
    """As the graph counts tokens."""
    place: int
    """In the answer, from 0."""
    seconds: float
    probability: float

    @property
    def noticed(self) -> bool:
        """Whether it is worth a word."""
        return self.probability >= NOTICED

    @property
    def told(self) -> str:
        """EOS peak at 120: 34 %"""
        return tr("EOS peak at {where}").format(where=self.brief)

    @property
    def brief(self) -> str:
        """Where there is little room."""
        return f"{numbered(self.number - 1, self.place)}: {chance(self.probability)}"


class EndCurve:
    """Reads the tokens that have come since it was last asked to. Of neighbours the lowest and the highest are drawn:
    of twice as many whenever there are too many, so a peak is never lost and no part of a run is coarser than another.

    The last token is no peak, whatever its chance: there the run did end.
    """

    def __init__(self, tokens: RunTokens) -> None:
        self._tokens = tokens
        self._read = 0
        self._width = 1
        self._pairs: list[tuple[EndPoint, EndPoint]] = []
        """The lowest and the highest of each `_width` tokens."""
        self._last: EndPoint | None = None
        self.drawn: list[EndPoint] = []
        self.peak: EndPoint | None = None

    def catch_up(self) -> None:
        came = self._tokens.came
        fresh = came[self._read :]
        self._read = len(came)
        first = self._tokens.places.start
        for index, seconds, probability in self._tokens.end_probabilities(fresh):
            self._add(EndPoint(index - came.start + 1, first + index, seconds, probability))
        if fresh:
            # Of a bucket with one token that is the lowest and the highest.
            points = {point.number: point for point in chain.from_iterable(self._pairs)}
            self.drawn = [points[number] for number in sorted(points)]

    def xs(self, axis: Axis) -> list[float]:
        return [point.seconds if axis is Axis.TIME else float(point.number) for point in self.drawn]

    def ys(self, top: float) -> list[float]:
        """Where certainty is at `top`."""
        return [point.probability * top for point in self.drawn]

    def _add(self, point: EndPoint) -> None:
        last, self._last = self._last, point
        if last is not None and (self.peak is None or last.probability > self.peak.probability):
            self.peak = last
        if last is not None and self._bucket(last) == self._bucket(point):
            self._pairs[-1] = _spread(self._pairs[-1], (point, point))
            return
        if len(self._pairs) == MOST_DRAWN // 2:
            self._width *= 2
            groups = groupby(self._pairs, key=lambda pair: self._bucket(pair[0]))
            self._pairs = [reduce(_spread, pairs) for _, pairs in groups]
        self._pairs.append((point, point))

    def _bucket(self, point: EndPoint) -> int:
        return (point.number - 1) // self._width


class Ends:
    """The end probability of the tokens that are shown; none is read while it is switched off."""

    def __init__(self) -> None:
        self.on = False
        self._tokens: RunTokens | None = None
        self._curve: EndCurve | None = None

    def show_tokens(self, tokens: RunTokens | None) -> None:
        self._tokens = tokens
        self._curve = EndCurve(tokens) if tokens is not None else None
        self.catch_up()

    @property
    def missing(self) -> str:
        """Why there is nothing to show; empty where there is."""
        if self._tokens is None or not self._tokens.came:
            return NO_TOKENS
        return "" if self._tokens.observed else UNRECORDED

    def catch_up(self) -> None:
        """With the tokens that have come, if it is to be shown."""
        if self.on and self._curve is not None:
            self._curve.catch_up()

    @property
    def curve(self) -> EndCurve | None:
        """As it was caught up with last; None while it is not to be shown."""
        return self._curve if self.on and self._curve is not None and self._curve.drawn else None

    @property
    def told(self) -> str:
        """The highest point, in a sentence."""
        curve = self.curve
        if curve is None or curve.peak is None:
            return ""
        return tr("EOS probability peaked at token {where}.").format(where=curve.peak.brief)


def _spread(one: tuple[EndPoint, EndPoint], other: tuple[EndPoint, EndPoint]) -> tuple[EndPoint, EndPoint]:
    """The lowest and the highest of both."""
    low = one[0] if one[0].probability <= other[0].probability else other[0]
    high = one[1] if one[1].probability >= other[1].probability else other[1]
    return low, high
