"""Hidden states at a token: a table of the layers, and the cosine similarity of the tokens around it."""

import numpy as np
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

from app.engine.types import ExactPrompt, HiddenStates, LayerState
from app.i18n import tr
from app.number_format import minus, three_digits
from app.records.export import as_csv
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look import Color, Theme
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import legible
from app.ui.widgets import SmallPrint, in_column
from app.ui.widgets.word_table import WordTable

TITLES = tr("Layer"), tr("Norm"), tr("Change"), tr("Cosine")
TIPS = (
    tr("Counted from 0; the matrix below is of the selected layer"),
    tr("Norm of the layer's output vector"),
    tr("‖output − input‖ ÷ ‖input‖"),
    tr("Cosine similarity of output and input: 1 is the same direction, 0 a right angle"),
)
MAX_ROWS, PICTURE_PX = 8, 240


class HiddenStatesTab(QWidget):
    """The hidden-states tab. The matrix below the table shows the selected layer; dark is similar."""

    def __init__(self, theme: Theme, name: str = "inside", picture_px: int = PICTURE_PX) -> None:
        """Object names begin with `name`. `picture_px`: height of the matrix at 100 %."""
        super().__init__()
        self._prompt: ExactPrompt | None = None
        self._states: HiddenStates | None = None
        self._table = WordTable(theme, f"{name}_states", tr("Hidden states by layer"), most_rows=MAX_ROWS)
        self._near = SmallPrint(theme, f"{name}_near", "text")
        self._loop = SmallPrint(theme, f"{name}_loop", "text")
        self._picture = MatrixPicture(theme, f"{name}_alike", tr("Cosine similarity of tokens"), picture_px)
        self._scale = TokenScale(theme)
        self._cosine = SmallPrint(theme, f"{name}_cosine", "text")
        in_column(self._loop, self._table, self._near, self._picture, self._scale, self._cosine, on=self)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._picture.pointed.connect(self._show_cosine)

    def summary(self) -> str:
        return " ".join(filter(None, (self._loop.text(), self._near.text())))

    def picture(self) -> QPixmap:
        return self._picture.picture()

    def show_states(self, prompt: ExactPrompt, states: HiddenStates, start: int) -> None:
        """`start` is the position of the answer's first token."""
        self._prompt, self._states = prompt, states
        rows = [(str(layer), *_figures(each)) for layer, each in enumerate(states.layers)]
        self._table.show_rows(TITLES, rows, TIPS)
        near = [f"“{legible(each.text)}” {minus(f'{each.cosine:.2f}')}" for each in states.near or ()]
        self._near.say(tr("Nearest in the embedding: {tokens}").format(tokens=", ".join(near)) if near else "")
        self._loop.say(describe_loop(states, start))
        self._table.selectRow(len(rows) - 1)
        self._step()

    def as_csv(self) -> str:
        layers = self._states.layers if self._states is not None else ()
        return as_csv(
            ("layer", "norm", "change", "cosine"),
            ((layer, each.norm, each.change, each.cosine) for layer, each in enumerate(layers)),
        )

    def _step(self) -> None:
        states, layer = self._states, self._table.currentIndex().row()
        if states is None or not 0 <= layer < len(states.alike):
            return
        cosines = np.array(states.alike[layer], np.float32)
        low = min(0.99, float(cosines.min()))
        words = tr("Layer {layer}: cosine similarity of {count} tokens").format(layer=layer, count=states.size)
        self._picture.show_values((cosines - low) / (1 - low), states.size, self._cell, words)
        self._picture.mark(states.position - states.first, states.position - states.first)
        self._scale.show_ends(minus(f"{low:.2f}"), "1", Color.LIKELY)
        self._show_cosine("")

    def _cell(self, row: int, column: int) -> str:
        states, prompt = self._states, self._prompt
        assert states is not None and prompt is not None
        cosine = states.alike[self._table.currentIndex().row()][row * states.size + column]
        one, other = (legible(prompt.text_of(states.first + each)) for each in (row, column))
        return tr("“{one}” ({row}) and “{other}” ({column}): cosine {cosine}").format(
            one=one, other=other, row=states.first + row, column=states.first + column, cosine=minus(f"{cosine:.2f}")
        )

    def _show_cosine(self, words: str) -> None:
        self._cosine.say(words or self._picture.accessibleDescription())


def _figures(state: LayerState) -> tuple[str, ...]:
    ratios = (minus(f"{each:.2f}") if each is not None else "–" for each in (state.change, state.cosine))
    return three_digits(state.norm), *ratios


def describe_loop(states: HiddenStates, start: int) -> str:
    """Return a sentence about the repetition loop at the end of the text; empty without one."""
    loop = states.loop
    if loop is None or loop.end <= start:
        return ""
    rounds, agree = (loop.end - loop.start) // loop.period, states.agree_from(loop)
    words = tr(
        "From token {start} of the answer on, the same %n tokens repeat {rounds} times.",
        "From token {start} of the answer on, the same token repeats {rounds} times.",
        loop.period,
    )
    sentence = words.format(start=1 + max(0, loop.start - start), rounds=f"{rounds:,}")
    if agree is None:
        return sentence
    again = tr("From token {agree} on, the last layer's states are equal in each repetition.")
    return f"{sentence} {again.format(agree=1 + max(0, agree - start))}"
