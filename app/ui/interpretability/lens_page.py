"""The logit lens of an answer: a map of layers × tokens, and the details of one cell."""

import math
from collections.abc import Callable, Mapping
from statistics import median_low

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.types import LayerPrediction, LensPosition, LensResult
from app.i18n import tr
from app.number_format import bits, chance
from app.ui.interpretability.cell_map import NOWHERE, CellMap, CellSize, CellTable
from app.ui.interpretability.lens_cells import cell_of, describe_cell, proof, summarize
from app.ui.look import GAP_PX, Color, Size, Theme, scaled
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import legible
from app.ui.widgets import (
    Announcer,
    ChoiceBox,
    SmallPrint,
    caption,
    in_column,
    in_row,
    layout_widget,
    plain_label,
    push_button,
)
from app.ui.widgets.word_table import WordTable

CELL_SIZE = CellSize(least=(56, 12), most=(160, 56))
DETAILS_PX = 250
TOP, SAMPLED, ENTROPY = "top", "sampled", "entropy"
COLORS = {
    TOP: tr("Probability of the top token"),
    SAMPLED: tr("Probability of the sampled token"),
    ENTROPY: tr("Entropy"),
}
COLOR_TIP = tr("The value that the color of a cell shows. Each cell names the top token; bold: it was sampled")
TITLES = tr("Token"), tr("Probability")
FORK_TIP = tr("Keep the answer up to here and continue with the selected token in place of the sampled one")


class LensPage(QWidget):
    place_picked = Signal(int)
    """Place of the token of a picked column."""
    fork_wanted = Signal(int, int)
    """Place in the answer, and the token id."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._found: LensResult | None = None
        self._start = self._count = 0
        self._why = ""
        self._headline = plain_label("inside_lens_headline", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._announcer = Announcer(self._headline)
        self._color = ChoiceBox("inside_lens_color", tr("Color"), COLOR_TIP, COLORS)
        self._map = CellMap(theme, "inside_lens_map", tr("Logit lens: layers and tokens"), CELL_SIZE)
        self._scale = TokenScale(theme)
        self._proof = SmallPrint(theme, "inside_lens_proof")
        self._token = plain_label("inside_lens_token", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._settled = SmallPrint(theme, "inside_lens_settled", "text")
        self._cell = SmallPrint(theme, "inside_lens_cell", "text")
        self._top = WordTable(theme, "inside_lens_top", tr("Top tokens of the layer"), most_rows=5, widest_px=150)
        self._fork = push_button("inside_lens_fork", tr("Fork Here"), FORK_TIP, press=self._ask_fork)
        details = in_column(self._token, self._settled, self._cell, self._top, in_row(self._fork, ...), ...)
        beside = layout_widget(details)
        scaled(theme, beside, QWidget.setFixedWidth, DETAILS_PX)
        color = in_row(caption(theme, tr("Color"), self._color), self._color, (self._scale, 1))
        parts = in_column(self._headline, color, (self._map, 1), self._proof)
        in_row((layout_widget(parts), 1), beside, on=self, gap=2 * GAP_PX, margins=(0, GAP_PX, 0, 0))
        self._color.activated.connect(lambda: self._show_map(*self._map.cursor_cell))
        self._map.pointed.connect(self._point)
        self._map.picked.connect(self._pick)
        self._top.selectionModel().currentRowChanged.connect(self._enable)
        self._shown = (0, 0)
        """Layer and column of the details."""

    @property
    def found(self) -> tuple[LensResult, int] | None:
        """The lens, and the position of the answer's first token."""
        return (self._found, self._start) if self._found is not None else None

    def show_lens(self, found: LensResult, start: int, place: int, count: int) -> None:
        """Show the lens with the cursor at the token `place`. `count`: tokens of the answer."""
        is_new = found != self._found
        self._found, self._start, self._count = found, start, count
        places = [each.position + 1 - start for each in found.positions]
        column = places.index(place) if place in places else len(places) - 1
        layer = _settled(found.positions[column])
        if is_new:
            self._headline.setText(headline(found))
            self._announcer.say(self._headline.text())
            self._proof.say(proof(found))
            self._show_map(layer, column)
        elif column != self._map.cursor_cell[1]:
            self._map.mark(layer, column)
            self._show_details(layer, column)

    def forget(self) -> None:
        self._found = None

    def set_unavailable(self, why: str) -> None:
        """Set the reason that forks are unavailable now; empty if they are."""
        self._why = why
        self._enable()

    def _show_map(self, layer: int, column: int) -> None:
        found = self._found
        if found is None:
            return
        value, low, high = _values(self._color.currentData(), found)
        positions, names = found.positions, dict[str, str]()

        def text(layer: int, column: int) -> tuple[str, bool]:
            first = positions[column].guesses[layer].first
            name = names.get(first.text) or names.setdefault(first.text, legible(first.text))
            return name, first.id == positions[column].said

        layers = range(len(positions[0].guesses))
        shares = np.array([[value(depth.guesses[layer]) for depth in positions] for layer in layers], np.float32)
        edges = [depth.stays_from for depth in positions]
        columns = [legible(depth.said_text) for depth in positions]
        rows = [str(layer) for layer in layers]
        table = CellTable(shares, rows, columns, self._describe, text, edges, self._headline.text())
        self._map.show_table(table, (layer, column))
        self._scale.show_ends(low, high, Color.LIKELY)
        self._show_details(layer, column)

    def _describe(self, layer: int, column: int) -> str:
        assert self._found is not None
        return describe_cell(cell_of(self._found.positions[column], layer, self._start))

    def _point(self, layer: int, column: int) -> None:
        """Show the cell at the pointer, or else that of the cursor."""
        self._show_details(*((layer, column) if layer != NOWHERE else self._map.cursor_cell))

    def _pick(self, layer: int, column: int) -> None:
        self._show_details(layer, column)
        if self._found is not None:
            self.place_picked.emit(self._found.positions[column].position + 1 - self._start)

    def _show_details(self, layer: int, column: int) -> None:
        if self._found is None:
            return
        self._shown = layer, column
        depth = self._found.positions[column]
        guess, place = depth.guesses[layer], depth.position + 2 - self._start
        words = tr("Token {place} of {count}: “{token}”")
        self._token.setText(words.format(place=f"{place:,}", count=f"{self._count:,}", token=legible(depth.said_text)))
        self._settled.say(summarize(depth))
        words = tr("After layer {layer}: entropy {bits}; probability of the sampled token {share}.")
        share = chance(math.exp(guess.logprob))
        self._cell.say(words.format(layer=layer, bits=bits(guess.entropy), share=share))
        rows = [(legible(each.text), chance(each.probability)) for each in guess.top]
        self._top.show_rows(TITLES, rows)
        self._top.selectRow(0)
        self._enable()

    def _enable(self) -> None:
        self._fork.setEnabled(self._found is not None and not self._why)
        self._fork.setToolTip(self._why or FORK_TIP)

    def _ask_fork(self) -> None:
        row, (layer, column) = self._top.currentIndex().row(), self._shown
        if self._found is not None and row >= 0:
            depth = self._found.positions[column]
            self.fork_wanted.emit(depth.position + 1 - self._start, depth.guesses[layer].top[row].id)


def _settled(depth: LensPosition) -> int:
    """Return the layer from which on the sampled token stays the top token, or else the last layer."""
    return depth.stays_from if depth.stays_from is not None else len(depth.guesses) - 1


def headline(found: LensResult) -> str:
    """Say how many of the sampled tokens are the top token in the end, and by which layer half of these are."""
    positions = found.positions
    if len(positions) == 1:
        return summarize(positions[0])
    layers = [depth.stays_from for depth in positions if depth.stays_from is not None]
    last = len(positions[0].guesses) - 1
    if not layers:
        words = tr("None of the {count} sampled tokens is the top token after the last layer, {last}.")
        return words.format(count=len(positions), last=last)
    words = tr("Half of the {count} sampled tokens are the top token for good by layer {layer} (last layer: {last}).")
    if len(layers) < len(positions):
        words = tr(
            "%n of the {count} sampled tokens are the top token after the last layer, {last}; half of these for good "
            "by layer {layer}.",
            "%n of the {count} sampled tokens is the top token after the last layer, {last}, from layer {layer} on.",
            len(layers),
        )
    return words.format(count=len(positions), layer=median_low(layers), last=last)


def _values(kind: str, found: LensResult) -> tuple[Callable[[LayerPrediction], float], str, str]:
    """Return a function of the value that the color shows, from 0 to 1, and the labels at the ends of the scale."""
    if kind == ENTROPY:
        most = max(guess.entropy for depth in found.positions for guess in depth.guesses) or 1.0
        return lambda guess: guess.entropy / most, bits(0), bits(most)
    values: Mapping[str, Callable[[LayerPrediction], float]] = {
        TOP: lambda guess: guess.first.probability,
        SAMPLED: lambda guess: math.exp(guess.logprob),
    }
    return values[kind], chance(0), chance(1)
