"""All that is told of one token below its head: the form, the candidates, the figures, and the way on from there."""

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.inspector.alternatives_part import CandidatesPart
from app.ui.inspector.facts_grid import FactsGrid
from app.ui.inspector.fork_strip import ForkStrip
from app.ui.inspector.form_part import FormPart
from app.ui.inspector.subject import InspectedToken
from app.ui.look import MARGIN_PX, Theme
from app.ui.widgets import ScrollColumn, in_column
from app.ui.widgets.button_menu import offer_buttons


class TokenPage(QWidget):
    """Somebody wants to go on with another token, or with a text: what can't be gone on with tells nothing."""

    candidate_taken = Signal(int)
    text_taken = Signal(str)
    edges_changed = Signal(int)
    """What the scroll bar takes at the right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts = FactsGrid(theme)
        self._candidates, self._form = CandidatesPart(theme), FormPart(theme)
        self._fork = ForkStrip(theme)
        self._body = QWidget()
        self._column = in_column(..., on=self._body, gap=MARGIN_PX, margins=(MARGIN_PX, 0, MARGIN_PX, 0))
        self._scroll = SteadyScroll("inspector_scroll")
        self._scroll.room_changed.connect(self._keep_edges)
        self._scroll.setWidget(self._body)
        self._whole = in_column((self._scroll, 1), on=self)
        self._tall: bool | None = None
        self._listen()

    def show_subject(self, subject: InspectedToken | None) -> None:
        if subject is not None:
            self._facts.show_token(subject.token)
        self._candidates.show_subject(subject)
        self._form.show_state(subject.form if subject is not None else None)

    def allow(self, forkable: bool, why: str) -> None:
        """Whether the answer can go on another way now, and if not, why."""
        self._fork.allow(forkable, why)

    def arrange(self, tall: bool) -> None:
        """The way on is always at hand, unless too little would be seen of what is above it: then it scrolls with that.

        The form comes first, to be watched as it fills; the weightiest of the figures are among the candidates'.
        """
        if tall is self._tall:
            return
        self._tall = tall
        for place, part in enumerate((self._form, self._candidates, self._facts)):
            self._column.insertWidget(place, part)
        if tall:
            self._whole.addWidget(self._fork)
        else:
            self._column.insertWidget(2, self._fork)
        margin = MARGIN_PX if tall else 0
        self._fork.setContentsMargins(margin, 0, margin, 0)
        # A style sheet gives what comes into another place the font that it had when it was made.
        self._fork.take_font()

    def _listen(self) -> None:
        self._candidates.stepped_to.connect(self._fork.show_candidate)
        self._candidates.taken.connect(self._take)
        self._candidates.sight_wanted.connect(self._scroll_to)
        self._fork.candidate_taken.connect(self._take)
        self._fork.text_taken.connect(self.text_taken)
        offer_buttons(self._candidates.table, self._fork.go)

    def _keep_edges(self, left: int, right: int) -> None:
        """Frame and scroll bar stand in the margins, so that what scrolls begins and ends where the head above does."""
        self._column.setContentsMargins(max(0, MARGIN_PX - left), 0, max(0, MARGIN_PX - right), 0)
        self.edges_changed.emit(right)

    def _scroll_to(self, place: QRect) -> None:
        """A line of the table."""
        at = self._candidates.mapTo(self._body, place.center())
        self._scroll.ensureVisible(0, at.y(), 0, place.height())

    def _take(self, token: int) -> None:
        if self._fork.allowed:
            self.candidate_taken.emit(token)


class SteadyScroll(ScrollColumn):
    """`room_changed` tells what frame and scroll bar take at the left and at the right."""

    room_changed = Signal(int, int)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        seen = self.viewport().geometry()
        self.room_changed.emit(seen.left(), self.width() - 1 - seen.right())
