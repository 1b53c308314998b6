"""The page that tells what each layer would have said: a button, a table, and the way on from there."""

from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.definitions import meaning
from app.engine.types import (
    AblationResult,
    Attention,
    AttentionMatrix,
    ExactPrompt,
    HiddenStates,
    LensPosition,
    LensResult,
    Unit,
)
from app.i18n import tr
from app.ui.interpretability import ATTENTION, LADDER, STATES, STRETCH, WORDS
from app.ui.interpretability.attribution_tab import WordsPart
from app.ui.interpretability.grid import LayerGrid
from app.ui.interpretability.heads import HeadsPart
from app.ui.interpretability.hidden_states_tab import StatesPart
from app.ui.interpretability.lens_cells import (
    LensCell,
    LensGrid,
    csv_of,
    heat_map,
    ladder,
    proof,
    told,
    told_cell,
    told_place,
)
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look import GAP_PX, MARGIN_PX, Colour, Theme
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.text import NOWHERE
from app.ui.tokens.words import legible
from app.ui.widgets import Announcer, ScrollColumn, SegmentedChoice, SmallPrint, in_column, in_row, push_button

KINDS = {
    LADDER: tr("Lens"),
    STRETCH: tr("Range"),
    ATTENTION: tr("Attention"),
    STATES: tr("States"),
    WORDS: tr("Attribution"),
}
TIPS = {
    LADDER: tr("Logit lens: the most likely tokens of each layer at this place"),
    STRETCH: tr("Logit lens over a range: the top token of each layer from this token on"),
    ATTENTION: tr("What each head of each layer attended to when this token was chosen"),
    STATES: tr(
        "Hidden states: the output vector of each layer at this token, and its similarity to the tokens around it"
    ),
    WORDS: tr("Attribution by ablation: which parts of the prompt made the answer more likely"),
}
PICK = tr("Pick a token of an answer first: choose Tokens in the menu View, then click one or take the arrow keys.")
MEANINGS = {
    LADDER: tr("Logit lens: the most likely tokens after each layer."),
    STRETCH: tr("Logit lens: the most likely token after each layer, from this token on."),
    ATTENTION: tr("The tokens that each head attended to when this token was chosen. They don't show why."),
    STATES: tr("How much each layer changes the hidden state at this token, and which tokens have similar states."),
    WORDS: meaning("attribution"),
}
READ = tr(
    "Logit lens: the hidden state of each layer, decoded with the final norm and LM head. It shows "
    "what is readable there, not what the layer does."
)
LEFT_OUT = tr("The part's tokens are taken out, all others stay as they are, and the answer is read behind them.")
LEAVE_TIP = tr("One extra forward pass for each part; the conversation doesn't change")
LOOK_TIP = tr("One extra forward pass; the conversation doesn't change")
GO_TIP = tr("Keep the answer up to here and continue with this token in place of the sampled one")
MOST_CHARACTERS = 16
DEEP_LAYERS, OVERVIEW_PX = 32, 140
"""From so many layers on a small picture of all of them stands over the table."""
GREEDY = 1_000
"""The table takes what room there is before it scrolls."""


class InsidePanel(QWidget):
    """Values in, intents out: what is looked at is the token that was picked when the button is pressed."""

    look_wanted = Signal(str)
    """At what."""
    matrix_wanted = Signal(int, object)
    """What a head of this layer attends to from every token; None: the mean of its heads."""
    taken = Signal(int, int)
    """Go on with another token: place in the answer, id."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[LensResult, int] | None = None
        self._stretch = False
        """That is of a stretch."""
        self._known: tuple[str, int] | None = None
        """Whether heads or states are known, and of which token."""
        self._place: int | None = None
        self._name = ""
        self._why = ""
        self._kind = SegmentedChoice("inside_kind", tr("What is looked at"), KINDS, TIPS, narrow=True)
        self._look = push_button("inside_look", tr("Look inside the token"), LOOK_TIP, press=self._ask)
        self._where = SmallPrint(theme, "inside_place", "text")
        self._said = SmallPrint(theme, "inside_said", "text")
        self.grid = LayerGrid(theme)
        self._overview = MatrixPicture(theme, "inside_overview", tr("All layers at a glance"), OVERVIEW_PX)
        self._heads, self._states = HeadsPart(theme), StatesPart(theme)
        self.words = WordsPart(theme)
        self._parts: dict[str, HeadsPart | StatesPart | WordsPart] = {
            ATTENTION: self._heads,
            STATES: self._states,
            WORDS: self.words,
        }
        self._heads.matrix_wanted.connect(self.matrix_wanted)
        self._scale = TokenScale(theme)
        self._scale.show_ends(tr("unlikely"), tr("certain"), Colour.LIKELY)
        self._cell = SmallPrint(theme, "inside_cell", "text")
        self._meaning, self._proof = SmallPrint(theme, "inside_meaning"), SmallPrint(theme, "inside_proof")
        self._go = push_button("inside_fork", "", GO_TIP, press=self._take)
        self._go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        tip = tr("All figures of this page, as CSV for a spreadsheet")
        self._copy = push_button("inside_csv", tr("Copy as CSV"), tip, kind="small", press=self._copy_csv)
        tip = tr("What is seen here, as a picture")
        self._picture = push_button("inside_picture", tr("Copy picture"), tip, kind="small", press=self._copy_picture)
        self._announcer = Announcer(self)
        self._scroll = ScrollColumn("inside_scroll")
        self._lay_out()
        self._kind.chosen.connect(self._show)
        self.grid.stepped_to.connect(self._step)
        self.grid.taken.connect(self._take)
        self._overview.picked.connect(self.grid.go_to)
        self.words.asked.connect(self._enable)
        self.show_token(None)

    def show_token(self, place: int | None, name: str = "", count: int = 0, before: str = "") -> None:
        """The token that would be looked at, one of so many, and what is before it; what was found stays while it has
        this one."""
        self._place, self._name = place, name
        self._where.say(told_place(place, count, name, before) if place is not None else "")
        self._show()

    def show_found(self, found: LensResult | None, start: int = 0, stretch: bool = False) -> None:
        """`start`: the answer's first token among all that was read. None: nothing is known any more."""
        self._found, self._stretch = (found, start) if found is not None else None, stretch
        self._known = None
        self._show()
        self._announcer.say(self._said.text() if found is not None else "")

    def show_left_out(
        self,
        place: int,
        prompt: ExactPrompt | None = None,
        unit: Unit | None = None,
        found: AblationResult | None = None,
    ) -> None:
        """Of the answer that has this token. None: nothing is known any more."""
        self.words.show_found(prompt, unit, found, place)
        self._show()
        self._announcer.say(self.words.told() if found is not None else "")

    def show_states(self, place: int, start: int, prompt: ExactPrompt, states: HiddenStates) -> None:
        """Of the token at this place; `start`: the answer's first token among all that was read."""
        self._known = STATES, place
        self._states.show_states(prompt, states, start)
        self._show()
        self._announcer.say(self._states.told())

    def show_attention(self, place: int, prompt: ExactPrompt, attention: Attention) -> None:
        """Of the heads, when the token at this place was chosen."""
        self._known = ATTENTION, place
        self._heads.show_attention(prompt, attention)
        self._show()
        self._announcer.say(self._heads.told())

    def show_matrix(self, matrix: AttentionMatrix) -> None:
        self._heads.show_matrix(matrix)
        self._show()
        self._announcer.say(self._heads.told())

    def allow(self, why: str) -> None:
        """Why nothing can be looked at now, and no answer gone on with; empty: it can."""
        self._why = why
        self._enable()

    def _lay_out(self) -> None:
        seen = self._overview, (self.grid, GREEDY), self._heads, self._states, self.words
        parts = self._kind, self._meaning, self._where, self.words.chooser, self._look, self._said, *seen
        body, scroll = QWidget(), self._scroll
        copies = in_row(self._copy, self._picture, ...)
        below = self._scale, self._cell, self._go, copies, self._proof
        in_column(*parts, *below, ..., on=body, gap=GAP_PX, margins=MARGIN_PX)
        scroll.setWidget(body)
        in_column(scroll, on=self)

    @property
    def _depth(self) -> LensPosition | None:
        """Of the token that is picked, as far as it was looked at; one alone is no stretch."""
        known = self._kind.choice == LADDER or (self._kind.choice == STRETCH and self._stretch)
        found, start = self._found if known and self._found is not None else (None, 0)
        places = found.places if found is not None else ()
        return next((each for each in places if each.position + 1 - start == self._place), None)

    def _show(self) -> None:
        kind = self._kind.choice
        depth = self._depth
        known = self.words.found is not None if kind == WORDS else self._known == (kind, self._place)
        for part in (self.grid, self._scale, self._cell, self._go):
            part.setVisible(depth is not None)
        for part in (self._copy, self._picture):
            part.setVisible(depth is not None or known)
        for of, seen in self._parts.items():
            seen.setVisible(of == kind and (known or of == WORDS))
        self.words.chooser.setVisible(kind == WORDS)
        self.words.show_place(NOWHERE if self._place is None else self._place)
        self._overview.setVisible(depth is not None and len(depth.guesses) >= DEEP_LAYERS)
        self._meaning.say(MEANINGS[kind])
        self._meaning.setToolTip(READ if kind in (LADDER, STRETCH) else LEFT_OUT if kind == WORDS else "")
        self._look.setText(self._caption())
        self._look.setAccessibleName(self._look.text())
        self._said.say(PICK if self._place is None else "")
        proofs = {ATTENTION: self._heads.proof, WORDS: self.words.proof}
        self._proof.say(proofs.get(kind, str)() if known else "")
        if depth is not None and self._found is not None:
            found, start = self._found
            self._said.say(told(depth))
            self._proof.say(proof(found))
            places = found.places
            grid = heat_map(places, start) if kind == STRETCH else ladder(depth, start)
            shares = [cell.probability for line in grid.lines for cell in line]
            tell = partial(_spoken, grid)
            self._overview.show_values(shares, len(grid.lines), tell, told(depth), square=False)
            self.grid.show_grid(grid, places.index(depth) if kind == STRETCH else 0, depth.stays_from)
        self._enable()

    def _caption(self) -> str:
        if self._kind.choice == WORDS:
            return tr("Leave out one part after the other")
        known = tr("Look inside “{token}”").format(token=_short(legible(self._name)))
        return known if self._name else tr("Look inside the token")

    def _enable(self) -> None:
        nothing = self._kind.choice == WORDS and self.words.part is None
        self._look.setEnabled(self._place is not None and not self._why and not nothing)
        self._look.setToolTip(self._why or (LEAVE_TIP if self._kind.choice == WORDS else LOOK_TIP))
        self.words.allow(not self._why)
        self._heads.allow(self._why)
        self._step(self.grid.current)

    def _step(self, cell: LensCell | None) -> None:
        if cell is not None:
            self._overview.mark(self.grid.currentIndex().row(), self.grid.currentIndex().column())
            self._cell.setText(told_cell(cell))
            self._cell.setAccessibleName(self._cell.text())
        token = f"“{_short(cell.name)}”" if cell is not None else "…"
        self._go.setText(tr("Fork here with {token}").format(token=token))
        self._go.setAccessibleName(self._go.text())
        self._go.setEnabled(cell is not None and not self._why)
        self._go.setToolTip(self._why or GO_TIP)

    def _ask(self) -> None:
        self.look_wanted.emit(self._kind.choice)

    def _take(self) -> None:
        cell = self.grid.current
        if cell is not None and not self._why:
            self.taken.emit(cell.place, cell.id)

    def _copy_csv(self) -> None:
        part = self._parts.get(self._kind.choice)
        layers = csv_of(*self._found) if part is None and self._found is not None else ""
        QGuiApplication.clipboard().setText(part.as_csv() if part is not None else layers)

    def _copy_picture(self) -> None:
        part = self._parts.get(self._kind.choice)
        QGuiApplication.clipboard().setPixmap(part.picture() if part is not None else self.grid.grab())

    def minimumSizeHint(self) -> QSize:
        """What scrolls up and down alone would be cut in less than its widest part takes: the row of looks."""
        width = self._kind.minimumSizeHint().width() + 2 * MARGIN_PX
        width += self._scroll.verticalScrollBar().sizeHint().width()
        return super().minimumSizeHint().expandedTo(QSize(width, 0))


def _spoken(grid: LensGrid, row: int, column: int) -> str:
    return grid.lines[row][column].spoken


def _short(name: str) -> str:
    return name if len(name) <= MOST_CHARACTERS else f"{name[: MOST_CHARACTERS - 1]}…"
