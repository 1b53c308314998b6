"""What the heads attend to from one token: a table of them, and grounds under the text for the chosen one."""

from collections.abc import Iterator, Sequence
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
from app.ui.look import Colour, Theme, scaled
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colours import likely_ground
from app.ui.tokens.prompt_words import told_token
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import legible
from app.ui.widgets import SmallPrint, in_column, in_row, push_button
from app.ui.widgets.word_table import WordTable

TITLES = tr("Head"), tr("Looks at")
TIPS = (
    tr("Layer and head, counted from 0"),
    tr("The token that it gives the most weight to; in brackets, what at least 40 % of it go to here"),
)
NAMES = {
    HeadKind.ITSELF: tr("itself"),
    HeadKind.PREVIOUS: tr("token before"),
    HeadKind.FIRST: tr("first token"),
    HeadKind.INDUCTION: tr("after the same"),
    HeadKind.SAME: tr("same before"),
    HeadKind.DELIMITER: tr("punctuation"),
}
OF_MEAN = tr("{share} in the mean of all heads, none of which needs to look there")
PROOF = tr("The weights bring forth the layers' real output; the largest difference is {difference}.")
MOST_ROWS, TEXT_PX, PICTURE_PX = 4, 140, 240
MOST_CHARACTERS = 12


MOST_LINKS, LEAST_SHARE = 4, 0.1
CSV_TOKENS = 256
"""A whole matrix of more would be too long for a clipboard: then the picked token's row is copied."""
HEAD, MEAN, BACK = tr("From every token"), tr("Mean of its layer"), tr("From this token")
HEAD_TIP = tr("What this head looks at from every token so far: one pass beside the conversation, up to 1,024 tokens")
MEAN_TIP = tr("The mean over the heads of this head's layer. A mean has links that none of its heads needs to have")


class HeadsPart(QWidget):
    """The first line is the mean of all heads; of the others those that do the same stand together."""

    matrix_wanted = Signal(int, object)
    """Of this layer: a head, or None for the mean of them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[Sequence[float]] = []
        self._heads: list[Head] = []
        self._matrix: AttentionMatrix | None = None
        self._why = ""
        self._table = WordTable(theme, "inside_heads", tr("Attention heads"), folds=True, most_rows=MOST_ROWS)
        self._text = TokenChips(theme, "inside_text", tr("What the head attends to"))
        self._told = SmallPrint(theme, "inside_weight", "text")
        self._scale = TokenScale(theme)
        self._one = push_button("inside_head_matrix", HEAD, HEAD_TIP, kind="small")
        self._mean = push_button("inside_layer_matrix", MEAN, MEAN_TIP, kind="small")
        self._picture = MatrixPicture(theme, "inside_matrix", tr("What is looked at from every token"), PICTURE_PX)
        self._strongest = ""
        """What the chosen head attends to most, in words."""
        self._difference = 0.0
        scaled(theme, self._text, QWidget.setMinimumHeight, TEXT_PX)
        buttons = in_row(self._one, self._mean, ...)
        in_column(self._table, self._text, self._picture, self._scale, self._told, buttons, on=self)
        self._one.clicked.connect(partial(self._ask, False))
        self._mean.clicked.connect(partial(self._ask, True))
        self._picture.pointed.connect(self._tell)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._text.pointed.connect(self._tell)

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
        """In place of the text: a row for each token, from the first to the last."""
        self._matrix = matrix
        weights = np.array(matrix.weights, np.float32).reshape(matrix.size, -1)
        most = float(weights[1:].max(initial=0.0)) or 1.0
        weights[np.triu_indices(matrix.size, 1)] = np.nan
        words = tr("{name}: a row for each token that looks, a column for each that it looks at, from the first on")
        told = words.format(name=_name(matrix.layer, matrix.head))
        self._picture.show_values((weights / most).ravel(), matrix.size, self._cell, told)
        self._picture.mark(matrix.size - 1, int(weights[-1].argmax()))
        self._show(most, told)

    def told(self) -> str:
        return self._told.text()

    def proof(self) -> str:
        """How near what is seen comes to what the model really does."""
        difference = self._matrix.max_difference if self._matrix is not None else self._difference
        return PROOF.format(difference=f"{difference:.0e}" if difference else "0")

    def picture(self) -> QPixmap:
        return self._picture.picture() if self._matrix is not None else self._text.viewport().grab()

    def as_csv(self) -> str:
        """What is seen: the row of the picked token, or from each token to each."""
        prompt, matrix = self._text.prompt, self._matrix
        texts = [text for _, text in prompt.texts()] if prompt is not None else []
        if matrix is not None and matrix.size <= CSV_TOKENS:
            lines = (matrix.weights[at * matrix.size : (at + 1) * matrix.size] for at in range(matrix.size))
            rows = ((at, texts[at], *line) for at, line in enumerate(lines))
            return as_csv(("position", "text", *map(str, range(matrix.size))), rows)
        name = self._table.model().index(self._table.currentIndex().row(), 0).data()
        return as_csv(("head", "position", "text", "weight"), ((name, *each) for each in self._row(texts)))

    def _row(self, texts: Sequence[str]) -> Iterator[tuple[int, str, float]]:
        weights = self._rows[self._table.currentIndex().row()]
        return ((at, text, weight) for at, (text, weight) in enumerate(zip(texts, weights, strict=True)))

    def allow(self, why: str) -> None:
        """Why nothing can be looked at now; empty: it can."""
        self._why = why
        row, size = self._table.currentIndex().row(), len(self._rows[0]) if self._rows else 0
        if not why:
            why = tr("Choose a head first.") if row < 1 else ""
        if size > WHOLE_TOKENS:
            why = tr("The whole picture is drawn of the first {most} tokens.").format(most=f"{WHOLE_TOKENS:,}")
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

    def _show(self, most: float, told: str) -> None:
        """Either the text or the picture, with its scale."""
        self._text.setVisible(self._matrix is None)
        self._picture.setVisible(self._matrix is not None)
        self._scale.show_ends(chance(0), chance(most), Colour.LIKELY)
        self._strongest = told
        self._tell("")
        self.allow(self._why)

    def _step(self) -> None:
        """Dark is what this head attends to most; the words have the share itself."""
        row, prompt = self._table.currentIndex().row(), self._text.prompt
        if prompt is None or not 0 <= row < len(self._rows):
            return
        weights, words = self._rows[row], tr("{share} of the head's attention") if row else OF_MEAN
        most = max(weights) or 1.0
        self._text.show_grounds(
            lambda at: likely_ground(weights[at] / most, self._theme),
            lambda at: words.format(share=chance(weights[at])),
        )
        first = strongest(weights, MOST_LINKS)
        self._text.show_links({at: weights[at] / most for at in first if weights[at] >= LEAST_SHARE and row})
        self._matrix = None
        told = told_token(prompt, first[0], words.format(share=chance(most)))
        self._show(most, f"{told}. {_over_the_text(self._heads[row - 1])}" if row else told)

    def _tell(self, words: str) -> None:
        self._told.say(words or self._strongest)


def _line(head: Head, texts: Sequence[str]) -> tuple[str, str]:
    does = f" ({NAMES[head.here]})" if head.here in NAMES else ""
    return _name(head.layer, head.head), _most(head.weights, texts) + does


def _over_the_text(head: Head) -> str:
    if head.kind not in NAMES:
        return tr("Over the text's last tokens it does nothing clearly.")
    words = tr("Over the text's last tokens: {kind}, {share}.")
    return words.format(kind=NAMES[head.kind], share=chance(head.share))


def _name(layer: int, head: int | None) -> str:
    return f"L{layer} H{head}" if head is not None else tr("Layer {layer}, mean of its heads").format(layer=layer)


def _most(weights: Sequence[float], texts: Sequence[str]) -> str:
    place = int(np.argmax(weights))
    return f"“{legible(texts[place])[:MOST_CHARACTERS]}” {chance(weights[place])}"
