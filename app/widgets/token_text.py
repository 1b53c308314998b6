"""A page of text under which the tokens of answers lie: pointed at, picked, gone through by keyboard."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.engine.trace import Trace
from app.widgets.theme import Theme
from app.widgets.token_colours import Colouring, Scale
from app.widgets.turns import Turn, View

NOWHERE = -1
"""Place of no token."""


class TokenText(QTextBrowser):
    """Tokens are told by the index of their turn and their place in its trace. Only `View.TOKENS` shows them."""

    token_pointed = Signal(int, int)
    """Index, place: the token under the pointer; the place is -1 when there is none any more."""
    token_picked = Signal(int, int)
    """Index, place: by a click, or by the arrow keys."""
    trace_missed = Signal(int)
    """The answer of this index is in sight, and there is no trace of it."""
    scale_changed = Signal(object)
    """The Scale by which the tokens are painted now."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._turns: list[Turn] = []
        self._view = View.MARKDOWN
        self._scale = Scale(Colouring.PROBABILITY)
        self._traces: dict[int, Trace] = {}
        self._marked: tuple[int, int] | None = None
        self._pointed: tuple[int, int] | None = None
        self._stretch: tuple[int, int, int] | None = None

    @property
    def scale(self) -> Scale:
        return self._scale

    def show_trace(self, index: int, trace: Trace | None) -> None:
        """The tokens of a turn; None: they are not known."""
        if trace is None:
            self._traces.pop(index, None)
        else:
            self._traces[index] = trace
        self.viewport().update()

    def trace_grew(self, index: int) -> None:
        """The trace of a turn has more tokens now."""
        if index in self._traces:
            self.viewport().update()

    def set_colouring(self, colouring: Colouring) -> None:
        """What the grounds of the tokens tell."""
        self._scale = Scale(colouring, self._scale.top_s, self._scale.observed)
        self.viewport().update()
        self.scale_changed.emit(self._scale)

    def mark_token(self, index: int, place: int | None) -> None:
        """The token that is selected, wherever it was."""
        self._marked = None if place is None else (index, place)
        self.viewport().update()

    def point_token(self, index: int, place: int | None) -> None:
        """A token that is pointed at elsewhere; told to nobody."""
        self._pointed = None if place is None else (index, place)
        self.viewport().update()

    def mark_stretch(self, index: int, first: int | None, last: int | None) -> None:
        """Some neighbouring tokens, from the first to the last of them; None: no more."""
        self._stretch = None if first is None or last is None else (index, first, last)
        self.viewport().update()

    def reveal_token(self, index: int, place: int) -> None:
        """Scroll to a token, unless it is in sight."""
