"""The page that tells what each layer would have said: a button, a table, and the way on from there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.engine.types import Attention, Depth, ExactPrompt, Inside
from app.ui.inside import ATTENTION, LADDER, STRETCH
from app.ui.inside.cells import Cell, as_csv, heat_map, ladder, proof, told
from app.ui.inside.grid import LayerGrid
from app.ui.inside.heads import HeadsPart
from app.ui.look import GAP_PX, MARGIN_PX, Colour, Theme
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import legible
from app.ui.widgets import SegmentedChoice, SmallPrint, in_column, in_row, named, push_button
from app.words import tr

WORDS = {LADDER: tr("This token"), STRETCH: tr("A stretch"), ATTENTION: tr("Attention")}
TIPS = {
    LADDER: tr("The likeliest tokens of each layer in this one's place"),
    STRETCH: tr("What each layer would have written from this token on"),
    ATTENTION: tr("What each head of each layer attended to when this token was chosen"),
}
PICK = tr("Pick a token of an answer first: with a click, or with the arrow keys.")
MEANINGS = {
    LADDER: tr("If the model had to answer after each layer, this is what it would say."),
    STRETCH: tr("If the model had to answer after each layer, this is what it would write."),
    ATTENTION: tr("Where each head looked when this token was chosen: not why."),
}
READ = tr(
    "Each layer's state, read by the model's own last norm and readout. It says what can be read off there, not what"
    " the layer is for."
)
LOOK_TIP = tr("One pass beside the conversation, which goes on as if nobody had looked")
GO_TIP = tr("The answer is kept up to here, and goes on with this token in place of the one that was taken")
MOST_CHARACTERS = 16
GREEDY = 1_000
"""The table takes what room there is before it scrolls."""


class InsidePanel(QWidget):
    """Values in, intents out: what is looked at is the token that was picked when the button is pressed."""

    look_wanted = Signal(str)
    """At what."""
    taken = Signal(int, int)
    """Go on with another token: place in the answer, id."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[Inside, int] | None = None
        self._attends: int | None = None
        """The token whose heads are known."""
        self._place: int | None = None
        self._why = ""
        self._kind = SegmentedChoice("inside_kind", tr("What is looked at"), WORDS, TIPS)
        self._look = push_button("inside_look", tr("Look inside the token"), LOOK_TIP, press=self._ask)
        self._said = SmallPrint(theme, "inside_said", "text")
        self.grid = LayerGrid(theme)
        self._heads = HeadsPart(theme)
        self._scale = TokenScale(theme)
        self._scale.show_ends(tr("unlikely"), tr("certain"), Colour.LIKELY)
        self._meaning = SmallPrint(theme, "inside_meaning")
        self._go = push_button("inside_fork", "", GO_TIP, press=self._take)
        self._go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        tip = tr("All candidates of all layers, as CSV for a spreadsheet")
        self._copy = push_button("inside_csv", tr("Copy as CSV"), tip, kind="small", press=self._copy_csv)
        tip = tr("The table as it is seen here")
        self._picture = push_button("inside_picture", tr("Copy picture"), tip, kind="small", press=self._copy_picture)
        self._lay_out()
        self._kind.chosen.connect(self._show)
        self.grid.stepped_to.connect(self._step)
        self.grid.taken.connect(self._take)
        self.show_token(None, "")

    def show_token(self, place: int | None, name: str) -> None:
        """The token that would be looked at; what was found stays while it has this one."""
        self._place = place
        words = tr("Look inside “{token}”").format(token=_short(legible(name))) if name else tr("Look inside the token")
        self._look.setText(words)
        self._look.setAccessibleName(words)
        self._show()

    def show_found(self, found: Inside | None, start: int = 0) -> None:
        """`start`: the answer's first token among all that was read. None: nothing is known any more."""
        self._found = (found, start) if found is not None else None
        self._said.setToolTip(proof(found) if found is not None else "")
        self._attends = None
        self._show()

    def show_attention(self, place: int, prompt: ExactPrompt, attention: Attention) -> None:
        """Of the heads, when the token at this place was chosen."""
        self._attends = place
        self._heads.show_attention(prompt, attention)
        self._show()

    def allow(self, why: str) -> None:
        """Why nothing can be looked at now, and no answer gone on with; empty: it can."""
        self._why = why
        self._enable()

    def _lay_out(self) -> None:
        parts = in_row(self._kind, ...), self._meaning, self._look, self._said, (self.grid, GREEDY), self._heads
        body, scroll = QWidget(), named(QScrollArea(widgetResizable=True), "inside_scroll")
        copies = in_row(self._copy, self._picture, ...)
        in_column(*parts, self._scale, self._go, copies, ..., on=body, gap=GAP_PX, margins=MARGIN_PX)
        scroll.setWidget(body)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        in_column(scroll, on=self)

    @property
    def _depth(self) -> Depth | None:
        """Of the token that is picked, as far as it was looked at."""
        found, start = self._found or (None, 0)
        places = found.places if found is not None else ()
        return next((each for each in places if each.position + 1 - start == self._place), None)

    @Slot()
    def _show(self) -> None:
        kind = self._kind.choice
        depth = self._depth if kind != ATTENTION else None
        for part in (self.grid, self._scale, self._go, self._copy, self._picture):
            part.setVisible(depth is not None)
        self._heads.setVisible(kind == ATTENTION and self._attends is not None and self._attends == self._place)
        self._meaning.say(MEANINGS[kind])
        self._meaning.setToolTip(READ if kind != ATTENTION else "")
        self._said.say(PICK if self._place is None else "")
        if depth is not None and self._found is not None:
            found, start = self._found
            self._said.say(told(depth))
            places = found.places
            self.grid.show_grid(
                heat_map(places, start) if kind == STRETCH else ladder(depth, start),
                places.index(depth) if kind == STRETCH else 0,
                depth.stays_from,
            )
        self._enable()

    @Slot()
    def _enable(self) -> None:
        self._look.setEnabled(self._place is not None and not self._why)
        self._look.setToolTip(self._why or LOOK_TIP)
        self._step(self.grid.current)

    @Slot(object)
    def _step(self, cell: Cell | None) -> None:
        token = f"“{_short(cell.name)}”" if cell is not None else "…"
        self._go.setText(tr("Go on from here with {token}").format(token=token))
        self._go.setAccessibleName(self._go.text())
        self._go.setEnabled(cell is not None and not self._why)
        self._go.setToolTip(self._why or GO_TIP)

    @Slot()
    def _ask(self) -> None:
        self.look_wanted.emit(self._kind.choice)

    @Slot()
    def _take(self) -> None:
        cell = self.grid.current
        if cell is not None and not self._why:
            self.taken.emit(cell.place, cell.id)

    @Slot()
    def _copy_csv(self) -> None:
        if self._found is not None:
            QGuiApplication.clipboard().setText(as_csv(*self._found))

    @Slot()
    def _copy_picture(self) -> None:
        QGuiApplication.clipboard().setPixmap(self.grid.grab())


def _short(name: str) -> str:
    return name if len(name) <= MOST_CHARACTERS else f"{name[: MOST_CHARACTERS - 1]}…"
