"""Arrow keys between tokens: to a neighbor, or to the nearest token of another line."""

from PySide6.QtCore import QPointF, Qt

from app.ui.tokens.layer import SeenLine, TokenLayer, TokenRef

Key = Qt.Key
SIDEWAYS = {Key.Key_Left: -1, Key.Key_Right: 1}
UPWARDS = {Key.Key_Up: -1, Key.Key_Down: 1}
EDGES = {Key.Key_Home: 0, Key.Key_End: -1}
KEYS = frozenset((*SIDEWAYS, *UPWARDS, *EDGES))
REACH_PX = 400.0
"""Height in pixels of one step of the search for the next line."""


class ArrowKeys:
    """Token navigation by arrow keys, which keeps the column while moving up and down."""

    def __init__(self, layer: TokenLayer) -> None:
        self._layer = layer
        self._column: float | None = None

    def step(self, key: Key, spot: TokenRef) -> TokenRef | None:
        """Return the token that a key moves to; None if there is none."""
        if key not in UPWARDS:
            self._column = None
        if key in SIDEWAYS:
            return self._neighbor(spot, SIDEWAYS[key])
        rects = self._layer.rects(spot)
        if not rects:
            return None
        at = rects[0].center()
        if key in EDGES:
            lines = list(self._layer.lines(at.y(), at.y()))
            line = min(lines, key=lambda each: abs(_middle(each) - at.y()), default=None)
            return None if line is None else _spot(line, sorted(span.place for span in line.spans)[EDGES[key]])
        return self._across(at, UPWARDS[key])

    def _neighbor(self, spot: TokenRef, step: int) -> TokenRef | None:
        """Return the neighbor, which may be in another answer."""
        place = spot.place + step
        if 0 <= place < len(self._layer.traces[spot.index]):
            return TokenRef(spot.index, place)
        others = sorted(index for index, trace in self._layer.traces.items() if (index - spot.index) * step > 0)
        for index in others[::step]:
            if length := len(self._layer.traces[index]):
                return TokenRef(index, 0 if step > 0 else length - 1)
        return None

    def _across(self, at: QPointF, step: int) -> TokenRef | None:
        column = self._column = at.x() if self._column is None else self._column
        line = self._next_line(at.y(), step)
        if line is None:
            return None
        nearest = min(line.spans, key=lambda span: abs(span.rect.center().x() + line.origin.x() - column))
        return _spot(line, nearest.place)

    def _next_line(self, height: float, step: int) -> SeenLine | None:
        """Return the nearest line with tokens above or below."""
        near, end = height, self._layer.height
        while 0 <= near <= end:
            far = near + step * REACH_PX
            lines = [each for each in self._layer.lines(min(near, far), max(near, far)) if each.spans]
            beyond = [each for each in lines if (_middle(each) - height) * step > each.spans[0].rect.height() / 2]
            if beyond:
                return min(beyond, key=lambda each: abs(_middle(each) - height))
            near = far
        return None


def _middle(line: SeenLine) -> float:
    return float(line.origin.y() + line.spans[0].rect.center().y())


def _spot(line: SeenLine, place: int) -> TokenRef:
    return TokenRef(line.index, place)
