"""Where the parts of the speed graph stand, and all the words on it: none of them is ever written over the curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF

from app.i18n import tr
from app.number_format import speed
from app.ui.graph.scale import LINES, apart, tick_words, ticks
from app.ui.look import GAP_PX, GRID_PX, Colour
from app.ui.widgets.plots.speed_curve import Axis

LEFT, RIGHT, MIDDLE = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter
WIDEST = "8,888"
AT_MOST = "≤ "
SHARE_OF_GUTTERS = 0.3
"""Of the width: with words that take more, numbers stand alone."""
MARK_PX = 0.75 * GAP_PX
"""How wide and high the mark of a mean is."""
SPARKLINE_LINES, SPARKLINE_LETTERS = 7, 24
"""Of a graph that is lower or narrower, only the line is left."""
TICK_GAP = 2.5
"""Widths of a number from one place on the axis to the next."""


@dataclass(frozen=True, slots=True)
class Label:
    """Words in their place."""

    rect: QRectF
    text: str
    role: Colour = Colour.MUTED
    side: Qt.AlignmentFlag = LEFT
    height: float | None = None
    """Of what it names, where that is not where it found room."""
    grounded: bool = False
    """It lies over the prompt's block, on a ground of its own."""

    @property
    def top(self) -> float:
        """With its mark."""
        return min(self.rect.top(), self.height - MARK_PX if self.height is not None else self.rect.top())

    @property
    def bottom(self) -> float:
        return max(self.rect.bottom(), self.height + MARK_PX if self.height is not None else self.rect.bottom())


@dataclass(frozen=True, slots=True)
class LaneText:
    """The words of the lane. `note` is what is pointed at, and goes first; `hint` is what may be left out.

    `seconds` is how long the prompt was read, where that is known: the wait for the first token is more than that.
    """

    name: str = ""
    prompt: str = ""
    note: str = ""
    hint: str = ""
    seconds: float | None = None
    brief: str = ""
    """Of the prompt, where its last parts have no room: a number that is cut would be another one."""


@dataclass(frozen=True, slots=True)
class Areas:
    """The lane of the prompt above, the plot, the rug below it, and how high a line of text is."""

    lane: QRectF
    plot: QRectF
    rug: QRectF
    line: float
    wordy: bool = True
    """There is room for words beside the numbers."""
    sparkline: bool = False

    def x(self, share: float) -> float:
        return self.plot.left() + share * self.plot.width()

    def y(self, share: float) -> float:
        """Clipped: what is above the top runs along it."""
        return self.plot.bottom() - min(1.0, max(0.0, share)) * self.plot.height()


def areas_of(size: QSizeF, metrics: QFontMetricsF, lane_right: float) -> Areas:
    """`lane_right` is what stands at the right end of the lane already."""
    line, letters = metrics.height(), metrics.horizontalAdvance("0")
    if size.height() < SPARKLINE_LINES * line or size.width() < SPARKLINE_LETTERS * letters:
        plot = QRectF(QPointF(0, 0), size).adjusted(0, GRID_PX, -lane_right, -1)
        return Areas(QRectF(), plot, QRectF(), line, sparkline=True)
    number = metrics.horizontalAdvance(WIDEST)
    worded = max(metrics.horizontalAdvance(words) for words in (_before(WIDEST), _ceiling(WIDEST)))
    left, right = number + GAP_PX, worded + 2 * GAP_PX
    wordy = left + right < SHARE_OF_GUTTERS * size.width()
    if not wordy:
        right = metrics.horizontalAdvance(AT_MOST + WIDEST) + 2 * GAP_PX
    lane = QRectF(left, 0, size.width() - left - lane_right, line + GRID_PX)
    bottom = size.height() - line - GRID_PX
    rug = QRectF(left, bottom - GAP_PX, size.width() - left - right, GAP_PX)
    plot = QRectF(left, lane.bottom() + GAP_PX, rug.width(), rug.top() - GRID_PX - lane.bottom() - GAP_PX)
    return Areas(lane, plot, rug, line, wordy)


def speed_labels(areas: Areas, top: float) -> list[Label]:
    """At the lines, left of the plot."""
    found = []
    for each in range(1, LINES + 1):
        rect = QRectF(0, areas.y(each / LINES) - areas.line / 2, areas.plot.left() - GAP_PX, areas.line)
        found.append(Label(rect, f"{each * top / LINES:,.6g}", side=RIGHT))
    return found


def axis_labels(areas: Areas, metrics: QFontMetricsF, right: float, axis: Axis) -> list[Label]:
    """The places on the axis, below the rug."""
    found, plot, line = [], areas.plot, areas.line
    widest = max(metrics.horizontalAdvance(tick_words(0.25 * right, axis, right)), metrics.horizontalAdvance(WIDEST))
    for place in ticks(right, int(plot.width() / (TICK_GAP * widest))):
        text = tick_words(place, axis, right)
        wide = metrics.horizontalAdvance(text) + 1
        rect = QRectF(areas.x(place / right) - wide / 2, areas.rug.bottom() + GRID_PX, wide, line)
        found.append(Label(rect, text, side=MIDDLE))
    return found


def mean_labels(
    areas: Areas, metrics: QFontMetricsF, means: Sequence[float | None], top: float, ceiling: Sequence[float] = ()
) -> list[Label]:
    """In the gutter at the right: the mean of the run that is shown, its ceiling at its end, then the means of as many
    before it as there is room for."""
    room = max(1, int(areas.plot.height() / ceil(areas.line)))
    roles = (Colour.DECODE, *(Colour.TEXT for _ in ceiling), *(Colour.MUTED for _ in means[1:]))
    all_of_them = zip((means[0], *ceiling, *means[1:]), roles, strict=True)
    known = [(mean, role) for mean, role in all_of_them if mean is not None][:room]
    half = areas.line / 2
    wanted = [areas.y(mean / top) for mean, _ in known]
    places = apart(wanted, ceil(areas.line), areas.plot.top() + half, areas.plot.bottom() - half)
    left, found = areas.plot.right() + 2 * GAP_PX, []
    before = False
    for (mean, role), at, height in zip(known, places, wanted, strict=True):
        text = speed(mean)
        if areas.wordy and role is Colour.DECODE:
            text = tr("{speed} mean").format(speed=text)
        elif role is Colour.TEXT:
            text = _ceiling(text) if areas.wordy else AT_MOST + text
        elif areas.wordy and not before:
            text, before = _before(text), True
        place = QRectF(left, round(at - half), metrics.horizontalAdvance(text) + 1, areas.line)
        found.append(Label(place, text, role, height=height if abs(height - at) > areas.line / 4 else None))
    return found


def lane_labels(areas: Areas, metrics: QFontMetricsF, block: QRectF, said: LaneText) -> list[Label]:
    """The run's name and what is said of the prompt, beside the block or else in it; the note goes first."""
    lane, found = areas.lane, []
    begin, limit = lane.left(), lane.right()
    needed = sum(metrics.horizontalAdvance(words) + 1 + GAP_PX for words in (said.name, said.prompt) if words)
    if said.note:
        note = _note(lane, metrics, block, said.note, needed)
        found.append(note)
        if note.rect.left() < block.left() and not note.grounded:
            begin = note.rect.right() + 2 * GAP_PX
        else:
            limit = note.rect.left() - 2 * GAP_PX
    beside = block.right() + GAP_PX
    inside = beside + needed > limit and block.width() > limit - beside
    left, end = (block.left() + GAP_PX, min(limit, block.right() - GAP_PX)) if inside else (beside, limit)
    if end - left < needed <= block.left() - begin:
        inside, left, end = False, block.left() - needed, block.left()
    amber = Colour.PREFILL if block.width() else Colour.MUTED
    if said.name and end - left > 2 * areas.line:
        text = metrics.elidedText(said.name, Qt.TextElideMode.ElideRight, end - left)
        left += _put(found, lane, metrics, left, text, Colour.TEXT)
    if text := _fitted([*_shorter(said.prompt), said.brief], metrics, end - left):
        left += _put(found, lane, metrics, left, text, Colour.TEXT if inside else amber)
    wide = metrics.horizontalAdvance(said.hint) + 1
    if said.hint and not said.note and max(left, beside) + 2 * GAP_PX + wide <= limit:
        found.append(Label(QRectF(limit - wide, lane.top(), wide, lane.height()), said.hint, Colour.MUTED, RIGHT))
    return found


def _put(found: list[Label], lane: QRectF, metrics: QFontMetricsF, left: float, text: str, role: Colour) -> float:
    """One more in the lane; so much it takes of it."""
    wide = metrics.horizontalAdvance(text) + 1
    found.append(Label(QRectF(left, lane.top(), wide, lane.height()), text, role))
    return wide + GAP_PX


def _shorter(words: str) -> list[str]:
    """All of them, then without one after the other of their last parts."""
    parts = words.split(" · ")
    return [" · ".join(parts[:count]) for count in range(len(parts), 0, -1)]


def _fitted(texts: Sequence[str], metrics: QFontMetricsF, room: float) -> str:
    """The first for which there is room; empty where there is none."""
    return next((each for each in texts if metrics.horizontalAdvance(each) + 1 <= room), "")


def _note(lane: QRectF, metrics: QFontMetricsF, block: QRectF, note: str, needed: float) -> Label:
    """At the right, without its last parts where there is little room; or before the block, or else, brief, over it.

    Before the block it leaves what is `needed` there for others, if it can.
    """
    shorter, behind, before = _shorter(note), lane.right() - block.right() - GAP_PX, block.left() - lane.left() - GAP_PX
    long, side, grounded = shorter[:-1] or shorter, RIGHT, False
    if not (text := _fitted(long, metrics, behind)):
        side, text = LEFT, _fitted(long, metrics, before - needed - GAP_PX) or _fitted(long, metrics, before)
    if not text:
        side, text, grounded = RIGHT, _fitted(shorter[-2:], metrics, lane.width() - 2 * GAP_PX), True
    wide = metrics.horizontalAdvance(text) + 1
    left = lane.left() if side is LEFT else lane.right() - wide - (GAP_PX if grounded else 0)
    return Label(QRectF(left, lane.top(), wide, lane.height()), text, Colour.TEXT, side, grounded=grounded)


def _ceiling(number: str) -> str:
    return tr("{speed} ceiling").format(speed=number)


def _before(number: str) -> str:
    return tr("{speed} previous").format(speed=number)
