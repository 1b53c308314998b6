"""The interpretability panel: logit lens, attention, hidden states and attribution of the selected token."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.definitions import meaning
from app.engine.types import (
    AblationResult,
    AblationUnit,
    Attention,
    AttentionMatrix,
    ExactPrompt,
    HiddenStates,
    LensPosition,
    LensResult,
)
from app.i18n import tr
from app.ui.interpretability import ATTENTION, LADDER, STATES, STRETCH, WORDS
from app.ui.interpretability.attention_tab import AttentionTab
from app.ui.interpretability.attribution_tab import AttributionTab
from app.ui.interpretability.grid import LayerGrid
from app.ui.interpretability.hidden_states_tab import HiddenStatesTab
from app.ui.interpretability.inspections import STRETCH_TOKENS
from app.ui.interpretability.lens_cells import (
    LensCell,
    csv_of,
    describe_cell,
    describe_place,
    heat_map,
    ladder,
    proof,
    summarize,
)
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look import GAP_PX, MARGIN_PX, Color, Theme
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
PICK = tr("Select a token of an answer first: choose View → Tokens, then click one or use the arrow keys.")
MEANINGS = {
    LADDER: tr("Logit lens: the most likely tokens after each layer."),
    STRETCH: tr("Logit lens: the most likely token after each layer, from this token on."),
    ATTENTION: tr("The tokens that each head attended to when this token was sampled. Attention isn't an explanation."),
    STATES: tr("Change of the hidden state by each layer at this token, and tokens with similar states."),
    WORDS: meaning("attribution"),
}
READ = tr(
    "Logit lens: the hidden state of each layer, decoded with the final norm and LM head. It shows "
    "what is readable there, not what the layer does."
)
ABLATION = tr("The tokens of a part are removed, and the probability of the same answer is measured again.")
ABLATION_TIP = tr("One extra forward pass for each part; the conversation doesn't change")
LOOK_TIP = tr("One extra forward pass; the conversation doesn't change")
GO_TIP = tr("Keep the answer up to here and continue with this token in place of the sampled one")
MAX_CHARACTERS = 16
DEEP_LAYERS, OVERVIEW_PX = 32, 140
"""Models with at least this number of layers get an overview of this height in pixels."""
STRETCH_FACTOR = 1_000
"""Layout factor of the table, which takes all free space."""


class InterpretabilityPanel(QWidget):
    look_wanted = Signal(str)
    """Name of the tab."""
    matrix_wanted = Signal(int, object)
    """Index of the layer; index of the head, or None for the mean."""
    fork_wanted = Signal(int, int)
    """Place in the answer, and the token id."""
    window_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: tuple[LensResult, int] | None = None
        self.known: dict[str, int] = {}
        """Places of the tokens of the attention and states results, by tab."""
        self._place: int | None = None
        self._count = 0
        """Tokens of the answer."""
        self._name = ""
        self._why = ""
        self._kind = SegmentedChoice("inside_kind", tr("View"), KINDS, MEANINGS, narrow=True)
        self._look = push_button("inside_look", tr("Look inside the model at this token"), LOOK_TIP)
        self._where = SmallPrint(theme, "inside_place", "text")
        self._summary = SmallPrint(theme, "inside_said", "text")
        self.grid = LayerGrid(theme)
        self._overview = MatrixPicture(theme, "inside_overview", tr("Overview of all layers"), OVERVIEW_PX)
        self._heads, self._states = AttentionTab(theme), HiddenStatesTab(theme)
        self.words = AttributionTab(theme)
        self._parts: dict[str, AttentionTab | HiddenStatesTab | AttributionTab] = {
            ATTENTION: self._heads,
            STATES: self._states,
            WORDS: self.words,
        }
        self._heads.matrix_wanted.connect(self.matrix_wanted)
        self._scale = TokenScale(theme)
        self._scale.show_ends(tr("unlikely"), tr("certain"), Color.LIKELY)
        self._cell = SmallPrint(theme, "inside_cell", "text")
        self._meaning, self._proof = SmallPrint(theme, "inside_meaning"), SmallPrint(theme, "inside_proof")
        self._go = push_button("inside_fork", "", GO_TIP, press=self._ask_fork)
        self._go.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        tip = tr("Copy all figures of this tab as CSV")
        self._copy = push_button("inside_csv", tr("Copy as CSV"), tip, kind="small", press=self._copy_csv)
        tip = tr("Copy this view as a picture")
        self._picture = push_button("inside_picture", tr("Copy picture"), tip, kind="small", press=self._copy_picture)
        tip = tr("Show the lens of the whole answer, attention patterns of all heads and more in a window of its own")
        self._open = push_button(
            "inside_open_window", tr("Open in Window"), tip, kind="small", press=self.window_wanted
        )
        self._announcer = Announcer(self)
        self._scroll = ScrollColumn("inside_scroll")
        self._lay_out()
        self._kind.chosen.connect(self._show)
        self._look.clicked.connect(lambda: self.look_wanted.emit(self._kind.choice))
        self.grid.stepped_to.connect(self._step)
        self.grid.fork_wanted.connect(self._ask_fork)
        self._overview.picked.connect(self.grid.go_to)
        self.words.parts_changed.connect(self._enable)
        self.show_token(None)

    def show_token(self, position: int | None, name: str = "", count: int = 0, before: str = "") -> None:
        """Set the selected token, the number of tokens, and the text before it. Results that apply to it stay."""
        self._place, self._name, self._count = position, name, count
        self._where.say(describe_place(position, count, name, before) if position is not None else "")
        self._show()

    def choose(self, kind: str) -> None:
        """Show the tab of this name."""
        self._kind.show_choice(kind)
        self._show()

    def show_found(self, found: LensResult | None, start: int = 0) -> None:
        """Show a lens result, or nothing. `start` is the position of the answer's first token."""
        self._found = (found, start) if found is not None else None
        if found is None:
            self.known.clear()
        self._show()
        self._announcer.say(self._summary.text() if found is not None else "")

    def show_ablation(
        self,
        position: int,
        prompt: ExactPrompt | None = None,
        unit: AblationUnit | None = None,
        found: AblationResult | None = None,
    ) -> None:
        """Show an ablation for the token at `position`, or nothing."""
        self.words.show_found(prompt, unit, found, position)
        self._show()
        self._announcer.say(self.words.summary() if found is not None else "")

    def show_states(self, position: int, start: int, prompt: ExactPrompt, states: HiddenStates) -> None:
        """`start` is the position of the answer's first token."""
        self.known[STATES] = position
        self._states.show_states(prompt, states, start)
        self._show()
        self._announcer.say(self._states.summary())

    def show_attention(self, position: int, prompt: ExactPrompt, attention: Attention) -> None:
        self.known[ATTENTION] = position
        self._heads.show_attention(prompt, attention)
        self._show()
        self._announcer.say(self._heads.summary())

    def show_matrix(self, matrix: AttentionMatrix) -> None:
        self._heads.show_matrix(matrix)
        self._show()
        self._announcer.say(self._heads.summary())

    def set_unavailable(self, why: str) -> None:
        """Set the reason that neither results nor forks are available now; empty if they are."""
        self._why = why
        self._enable()

    def _lay_out(self) -> None:
        views = self._overview, (self.grid, STRETCH_FACTOR), self._heads, self._states, self.words
        above = self._kind, self._meaning, self._where, self.words.chooser, self._look, in_row(self._open, ...)
        body, scroll = QWidget(), self._scroll
        copies = in_row(self._copy, self._picture, ...)
        below = self._scale, self._cell, self._go, copies, self._proof
        in_column(*above, self._summary, *views, *below, ..., on=body, gap=GAP_PX, margins=MARGIN_PX)
        scroll.setWidget(body)
        in_column(scroll, on=self)

    @property
    def _depth(self) -> LensPosition | None:
        """Return the lens result of the selected token for the current tab; None without one."""
        kind = self._kind.choice
        found, start = self._found if kind in (LADDER, STRETCH) and self._found is not None else (None, 0)
        positions = found.positions if found is not None else ()
        depth = next((each for each in positions if each.position + 1 - start == self._place), None)
        if kind == STRETCH and depth is not None and self._place != self._count - 1:
            return depth if len(_around(positions, depth)) > 1 else None
        return depth

    def _show(self) -> None:
        kind = self._kind.choice
        depth = self._depth
        known = self.words.found is not None if kind == WORDS else self.known.get(kind, NOWHERE) == self._place
        for part in (self.grid, self._scale, self._cell, self._go):
            part.setVisible(depth is not None)
        for part in (self._copy, self._picture):
            part.setVisible(depth is not None or known)
        for tab, result in self._parts.items():
            result.setVisible(tab == kind and (known or tab == WORDS))
        self.words.chooser.setVisible(kind == WORDS)
        self.words.show_place(NOWHERE if self._place is None else self._place)
        self._overview.setVisible(depth is not None and len(depth.guesses) >= DEEP_LAYERS)
        self._meaning.say(MEANINGS[kind])
        self._meaning.setToolTip(READ if kind in (LADDER, STRETCH) else ABLATION if kind == WORDS else "")
        self._look.setText(self._caption())
        self._look.setAccessibleName(self._look.text())
        self._summary.say(PICK if self._place is None else "")
        proofs = {ATTENTION: self._heads.proof, WORDS: self.words.proof}
        self._proof.say(proofs.get(kind, str)() if known else "")
        if depth is not None and self._found is not None:
            found, start = self._found
            self._summary.say(summarize(depth))
            self._proof.say(proof(found))
            positions = _around(found.positions, depth)
            grid = heat_map(positions, start) if kind == STRETCH else ladder(depth, start)
            shares = [cell.probability for line in grid.lines for cell in line]
            self._overview.show_values(
                shares, len(grid.lines), lambda row, at: grid.lines[row][at].spoken, summarize(depth), square=False
            )
            self.grid.show_grid(grid, positions.index(depth) if kind == STRETCH else 0, depth.stays_from)
        self._enable()

    def _caption(self) -> str:
        if self._kind.choice == WORDS:
            return tr("Measure attribution")
        known = tr("Look inside the model at “{token}”").format(token=_shorten(legible(self._name)))
        return known if self._name else tr("Look inside the model at this token")

    def _enable(self) -> None:
        nothing = self._kind.choice == WORDS and self.words.part is None
        self._look.setEnabled(self._place is not None and not self._why and not nothing)
        self._look.setToolTip(self._why or (ABLATION_TIP if self._kind.choice == WORDS else LOOK_TIP))
        self.words.set_can_try(not self._why)
        self._heads.set_unavailable(self._why)
        self._step(self.grid.current)

    def _step(self, cell: LensCell | None) -> None:
        if cell is not None:
            self._overview.mark(self.grid.currentIndex().row(), self.grid.currentIndex().column())
            self._cell.setText(describe_cell(cell))
            self._cell.setAccessibleName(self._cell.text())
        token = f"“{_shorten(cell.name)}”" if cell is not None else "…"
        self._go.setText(tr("Fork here with {token}").format(token=token))
        self._go.setAccessibleName(self._go.text())
        self._go.setEnabled(cell is not None and not self._why)
        self._go.setToolTip(self._why or GO_TIP)

    def _ask_fork(self) -> None:
        cell = self.grid.current
        if cell is not None and not self._why:
            self.fork_wanted.emit(cell.position, cell.id)

    def _copy_csv(self) -> None:
        part = self._parts.get(self._kind.choice)
        layers = csv_of(*self._found) if part is None and self._found is not None else ""
        QGuiApplication.clipboard().setText(part.as_csv() if part is not None else layers)

    def _copy_picture(self) -> None:
        part = self._parts.get(self._kind.choice)
        QGuiApplication.clipboard().setPixmap(part.picture() if part is not None else self.grid.grab())

    def minimumSizeHint(self) -> QSize:
        """Return a size with the width of the row of tabs, since the panel scrolls only vertically."""
        width = self._kind.minimumSizeHint().width() + 2 * MARGIN_PX
        width += self._scroll.verticalScrollBar().sizeHint().width()
        return super().minimumSizeHint().expandedTo(QSize(width, 0))


def _around(positions: Sequence[LensPosition], depth: LensPosition) -> Sequence[LensPosition]:
    """Return at most STRETCH_TOKENS consecutive positions, from `depth` on if there are enough after it."""
    at = positions.index(depth)
    near = [each for number, each in enumerate(positions) if each.position - depth.position == number - at]
    first = max(0, min(near.index(depth), len(near) - STRETCH_TOKENS))
    return near[first : first + STRETCH_TOKENS]


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_CHARACTERS else f"{name[: MAX_CHARACTERS - 1]}…"
