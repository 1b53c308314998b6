"""Which token of a run the speed graph points at, and which stretch of it is chosen."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.ui.graph.tokens import RunTokens
from app.ui.widgets.plots.speed_curve import Axis

NONE = -1
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
"""How far a key goes, in tokens."""
ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
CLICKS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

Chosen = tuple[int, int]


class SpeedPointer(QObject):
    """What the pointer or the keyboard does is emitted; what `point` and `mark` are given is only shown.

    The pointer's token comes before the one that was given, and that is back when the pointer has left.
    """

    token_pointed = Signal(int)
    """Index of the token in its run; -1: none any more."""
    token_clicked = Signal(int)
    stretch_chosen = Signal(int, int)
    """First and last token; both -1: none any more."""
    changed = Signal()
    """Something else is to be shown."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.tokens: RunTokens | None = None
        self._axis = Axis.TIME
        self._own = NONE
        self._given = NONE
        self._anchor = NONE
        """Where the keyboard began a stretch."""
        self._stretch: Chosen | None = None
        self._stretch_told = ("", "")

    @property
    def token(self) -> int | None:
        """The token to mark."""
        found = self._own if self._own != NONE else self._given
        return found if self.tokens is not None and 0 <= found < len(self.tokens) else None

    @property
    def place(self) -> float | None:
        """Where on the axis that is."""
        return self.tokens.x(self.token, self._axis) if self.tokens is not None and self.token is not None else None

    @property
    def shaded(self) -> tuple[float, float] | None:
        """From where to where on the axis the stretch reaches."""
        places = [self.tokens.x(end, self._axis) for end in self._stretch or ()] if self.tokens is not None else []
        there = [place for place in places if place is not None]
        return (there[0], there[-1]) if there else None

    @property
    def told(self) -> str:
        """What is marked, in words: the stretch, unless the pointer is on a token outside of it."""
        if self._stretch_meant:
            return self._stretch_told[0]
        token = self.token
        return self.tokens.told(token) if self.tokens is not None and token is not None else ""

    @property
    def brief(self) -> str:
        """The same in fewer words, where there are such."""
        return self._stretch_told[1] if self._stretch_meant else ""

    @property
    def _stretch_meant(self) -> bool:
        return self._stretch is not None and (self._own == NONE or self._stretch[0] <= self._own <= self._stretch[1])

    def show_tokens(self, tokens: RunTokens | None) -> None:
        """Another run, or none; nothing of it is marked yet."""
        self.tokens = tokens
        self._given = self._anchor = NONE
        self._point(NONE)
        self._choose(None)
        self.changed.emit()

    def set_axis(self, axis: Axis) -> None:
        self._axis = axis
        self.changed.emit()

    def point(self, index: int | None) -> None:
        """Mark this token."""
        self._given = NONE if index is None else index
        self.changed.emit()

    def mark(self, first: int | None, last: int | None) -> None:
        """Shade this stretch; without one, none."""
        self._shade(None if first is None or last is None else (first, last))

    def hover(self, x: float) -> None:
        """The pointer is there on the axis."""
        found = self.tokens.nearest(x, self._axis) if self.tokens is not None else None
        self._point(NONE if found is None else found)

    def leave(self) -> None:
        """The pointer, or the keyboard, is elsewhere."""
        self._point(NONE)

    def drag(self, begin: float, x: float) -> None:
        """The pointer was pressed at `begin` and is at `x` now."""
        if self.tokens is not None:
            ends = (self.tokens.nearest(begin, self._axis), self.tokens.nearest(x, self._axis))
            if ends[0] is not None and ends[1] is not None:
                self._point(NONE)
                self._choose((min(ends[0], ends[1]), max(ends[0], ends[1])))

    def click(self, x: float, reach: float) -> None:
        """On this place, give or take `reach`."""
        found = self.tokens.meant(x, reach, self._axis) if self.tokens is not None else None
        self._choose(None)
        if found is not None:
            self._point(found)
            self.token_clicked.emit(found)

    def press_key(self, event: QKeyEvent) -> bool:
        """Whether the key meant something here."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._stretch is not None:
            self._choose(None)
        elif key in CLICKS and self.token is not None:
            self.token_clicked.emit(self.token)
        elif key in STEPS or key in ENDS:
            return self._step(key, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            return False
        return True

    def _step(self, key: Qt.Key, extending: bool) -> bool:
        came = self.tokens.came if self.tokens is not None else range(0)
        if not came:
            return False
        before = self.token
        wanted = came[ENDS[key]] if key in ENDS else self._next(came, before, STEPS.get(key, 0))
        if not extending:
            self._anchor = NONE
            self._choose(None)
        elif self._anchor == NONE:
            self._anchor = wanted if before is None else before
        self._point(wanted)
        if extending:
            self._choose((min(self._anchor, wanted), max(self._anchor, wanted)))
        return True

    @staticmethod
    def _next(came: range, before: int | None, step: int) -> int:
        if before is None:
            return came[0] if step > 0 else came[-1]
        return min(max(came[0], before + step), came[-1])

    def _point(self, index: int) -> None:
        if index != self._own:
            self._own = index
            self.changed.emit()
            self.token_pointed.emit(index)

    def _choose(self, stretch: Chosen | None) -> None:
        if stretch != self._stretch:
            self._shade(stretch)
            self.stretch_chosen.emit(*(stretch or (NONE, NONE)))

    def _shade(self, stretch: Chosen | None) -> None:
        tokens = self.tokens
        inside = tokens is not None and stretch is not None and 0 <= stretch[0] <= stretch[1] < len(tokens)
        self._stretch = stretch if inside else None
        self._stretch_told = tokens.stretch_told(*stretch) if inside and tokens and stretch else ("", "")
        self.changed.emit()
