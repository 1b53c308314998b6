"""Attention of the heads at one token: a table, and the weights of the selected head under the text."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

from app.engine.types import WHOLE_TOKENS, Attention, AttentionMatrix, ExactPrompt, Head, HeadKind, strongest
from app.i18n import tr
from app.number_format import chance
from app.records.export import as_csv
from app.ui.interpretability.picture import MatrixPicture
from app.ui.look import Color, Theme, scaled
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colors import likely_ground
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import describe_prompt_token, legible
from app.ui.widgets import SmallPrint, in_column, in_row, push_button
from app.ui.widgets.word_table import WordTable

TITLES = tr("Head"), tr("Attends to")
TIPS = (
    tr("Layer and head, counted from 0"),
    tr("Token with the largest weight. In brackets: the kind of token that gets at least 40 %"),
)
NAMES = {
    HeadKind.ITSELF: tr("the token itself"),
    HeadKind.PREVIOUS: tr("previous token"),
    HeadKind.FIRST: tr("first token"),
    HeadKind.INDUCTION: tr("induction"),
    HeadKind.SAME: tr("same token"),
    HeadKind.DELIMITER: tr("punctuation"),
}
MEAN_WEIGHT = tr("{share} in the mean of all heads; possibly no single head has this weight")
PROOF = tr("Check: weights × values reproduce the layers' output; largest difference {difference}.")
MAX_ROWS, TEXT_PX, PICTURE_PX = 4, 140, 240
MAX_CHARACTERS = 12
MAX_LINKS, MIN_SHARE = 4, 0.1
CSV_TOKENS = 256
"""Of a larger matrix only the selected token's row is copied."""
HEAD, MEAN, BACK = tr("Full matrix"), tr("Mean over the layer's heads"), tr("This token only")
HEAD_TIP = tr("Attention matrix of this head, up to 1,024 tokens; one extra forward pass")
MEAN_TIP = tr("Mean of the attention matrices of this layer's heads. It can show links that no single head has")


class AttentionTab(QWidget):
    """The attention tab. The first row is the mean of all heads; the others are grouped by kind."""

    matrix_wanted = Signal(int, object)
    """Index of the layer; index of the head, or None for the mean."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[Sequence[float]] = []
        self._heads: list[Head] = []
        self._matrix: AttentionMatrix | None = None
        self._why = ""
        self._table = WordTable(theme, "inside_heads", tr("Attention heads"), folds=True, most_rows=MAX_ROWS)
        self._text = TokenChips(theme, "inside_text", tr("Text, colored by the head's attention"))
        self._weight = SmallPrint(theme, "inside_weight", "text")
        self._scale = TokenScale(theme)
        self._one = push_button("inside_head_matrix", HEAD, HEAD_TIP, kind="small")
        self._mean = push_button("inside_layer_matrix", MEAN, MEAN_TIP, kind="small")
        self._picture = MatrixPicture(theme, "inside_matrix", tr("Attention matrix"), PICTURE_PX)
        self._strongest = ""
        """Description of the strongest weight of the selected head."""
        self._difference = 0.0
        scaled(theme, self._text, QWidget.setMinimumHeight, TEXT_PX)
        buttons = in_row(self._one, self._mean, ...)
        in_column(self._table, self._text, self._picture, self._scale, self._weight, buttons, on=self)
        self._one.clicked.connect(partial(self._ask, False))
        self._mean.clicked.connect(partial(self._ask, True))
        self._picture.pointed.connect(self._show_weight)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._text.pointed.connect(self._show_weight)

    def show_attention(self, prompt: ExactPrompt, attention: Attention) -> None:
        heads = attention.by_kind()
        mean: list[float] = np.array([head.weights for head in heads]).mean(axis=0, dtype=np.float64).tolist()
        self._heads, self._matrix = heads, None
        self._rows = [mean, *(head.weights for head in heads)]
        texts = [text for _, text in prompt.texts()]
        lines = [(tr("mean"), _most(mean, texts)), *(_line(head, texts) for head in heads)]
        self._text.show_prompt(prompt)
        self._table.show_rows(TITLES, lines, TIPS)
        self._difference = attention.max_difference
        self._table.selectRow(0)
        self._step()

    def show_matrix(self, matrix: AttentionMatrix) -> None:
        """Show the attention matrix in place of the text."""
        self._matrix = matrix
        weights = np.array(matrix.weights, np.float32).reshape(matrix.size, -1)
        most = float(weights[1:].max(initial=0.0)) or 1.0
        weights[np.triu_indices(matrix.size, 1)] = np.nan
        words = tr("{name}: rows are the attending tokens, columns the tokens they attend to")
        summary = words.format(name=_name(matrix.layer, matrix.head))
        self._picture.show_values((weights / most).ravel(), matrix.size, self._cell, summary)
        self._picture.mark(matrix.size - 1, int(weights[-1].argmax()))
        self._show(most, summary)

    def summary(self) -> str:
        return self._weight.text()

    def proof(self) -> str:
        """Return the text of the check against the layers' output."""
        difference = self._matrix.max_difference if self._matrix is not None else self._difference
        return PROOF.format(difference=f"{difference:.0e}" if difference else "0")

    def picture(self) -> QPixmap:
        return self._picture.picture() if self._matrix is not None else self._text.viewport().grab()

    def as_csv(self) -> str:
        """Return the weights of the selected token, or the complete matrix if it is small."""
        prompt, matrix = self._text.prompt, self._matrix
        if prompt is not None and matrix is not None and matrix.size <= CSV_TOKENS:
            return matrix_csv(prompt, matrix)
        texts = [text for _, text in prompt.texts()] if prompt is not None else []
        row = self._table.currentIndex().row()
        name, weights = self._table.model().index(row, 0).data(), zip(texts, self._rows[row], strict=True)
        rows = ((name, at, text, weight) for at, (text, weight) in enumerate(weights))
        return as_csv(("head", "position", "text", "weight"), rows)

    def set_unavailable(self, why: str) -> None:
        """Set the reason that no matrix can be computed now; empty if it can."""
        self._why = why
        row, size = self._table.currentIndex().row(), len(self._rows[0]) if self._rows else 0
        if not why:
            why = tr("Choose a head first.") if row < 1 else ""
        if size > WHOLE_TOKENS:
            why = tr("The matrix is limited to {most} tokens.").format(most=f"{WHOLE_TOKENS:,}")
        for mean, button, words, tip in ((False, self._one, HEAD, HEAD_TIP), (True, self._mean, MEAN, MEAN_TIP)):
            button.setText(BACK if self._is_seen(mean) else words)
            button.setAccessibleName(button.text())
            button.setEnabled(not why)
            button.setToolTip(why or tip)

    def _is_seen(self, mean: bool) -> bool:
        return self._matrix is not None and (self._matrix.head is None) == mean

    def _ask(self, mean: bool) -> None:
        if self._is_seen(mean):
            self._step()
            return
        head = self._heads[self._table.currentIndex().row() - 1]
        self.matrix_wanted.emit(head.layer, None if mean else head.head)

    def _cell(self, row: int, column: int) -> str:
        matrix, prompt = self._matrix, self._text.prompt
        assert matrix is not None and prompt is not None
        if column > row:
            return ""
        one, other = (legible(prompt.text_of(each)) for each in (row, column))
        share = chance(matrix.weights[row * matrix.size + column])
        return tr("From “{one}” ({row}) to “{other}” ({column}): {share}").format(
            one=one, other=other, row=row, column=column, share=share
        )

    def _show(self, most: float, summary: str) -> None:
        """Show either the text or the matrix, with its scale."""
        self._text.setVisible(self._matrix is None)
        self._picture.setVisible(self._matrix is not None)
        self._scale.show_ends(chance(0), chance(most), Color.LIKELY)
        self._strongest = summary
        self._show_weight("")
        self.set_unavailable(self._why)

    def _step(self) -> None:
        """Show the weights of the selected head; the darkest color is its largest weight."""
        row, prompt = self._table.currentIndex().row(), self._text.prompt
        if prompt is None or not 0 <= row < len(self._rows):
            return
        weights, words = self._rows[row], tr("{share} of the head's attention") if row else MEAN_WEIGHT
        most = max(weights) or 1.0
        self._text.show_grounds(
            lambda at: likely_ground(weights[at] / most, self._theme),
            lambda at: words.format(share=chance(weights[at])),
        )
        first = strongest(weights, MAX_LINKS)
        self._text.show_links({at: weights[at] / most for at in first if weights[at] >= MIN_SHARE and row})
        self._matrix = None
        token = describe_prompt_token(prompt, first[0], words.format(share=chance(most)))
        self._show(most, f"{token}. {_describe_kind(self._heads[row - 1])}" if row else token)

    def _show_weight(self, words: str) -> None:
        self._weight.say(words or self._strongest)


def matrix_csv(prompt: ExactPrompt, matrix: AttentionMatrix) -> str:
    """Return a row for each token, with its weights on all tokens."""
    size, texts = matrix.size, [text for _, text in prompt.texts()]
    rows = ((at, texts[at], *matrix.weights[at * size : (at + 1) * size]) for at in range(size))
    return as_csv(("position", "text", *map(str, range(size))), rows)


def _line(head: Head, texts: Sequence[str]) -> tuple[str, str]:
    kind = f" ({NAMES[head.here]})" if head.here in NAMES else ""
    return _name(head.layer, head.head), _most(head.weights, texts) + kind


def _describe_kind(head: Head) -> str:
    if head.kind not in NAMES:
        return tr("No clear attention pattern over the last tokens of the text.")
    words = tr("Over the last tokens of the text: {kind}, {share}.")
    return words.format(kind=NAMES[head.kind], share=chance(head.share))


def _name(layer: int, head: int | None) -> str:
    return f"L{layer} H{head}" if head is not None else tr("Layer {layer}, mean of its heads").format(layer=layer)


def _most(weights: Sequence[float], texts: Sequence[str]) -> str:
    position = int(np.argmax(weights))
    return f"“{legible(texts[position])[:MAX_CHARACTERS]}” {chance(weights[position])}"
