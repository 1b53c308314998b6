"""What the heads attend to from one token: a table of them, and grounds under the text for the chosen one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.engine.types import Attention, ExactPrompt, Head, HeadKind
from app.figures import chance
from app.ui.look import Colour, Theme, scaled
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colours import likely_ground
from app.ui.tokens.prompt_words import told_token
from app.ui.tokens.scale import TokenScale
from app.ui.tokens.words import legible
from app.ui.widgets import SmallPrint, in_column
from app.ui.widgets.word_table import WordTable
from app.words import tr

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
PROOF = tr("The weights bring forth the layers' real output; the largest difference is {difference}.")
TABLE_PX, TEXT_PX = 188, 140
MOST_CHARACTERS = 12


class HeadsPart(QWidget):
    """The first line is the mean of all heads; the others come as clearly as they do one thing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[tuple[float, ...]] = []
        self._table = WordTable(theme, "inside_heads", tr("Attention heads"), folds=True)
        self._text = TokenChips(theme, "inside_text", tr("What the head attends to"))
        self._told = SmallPrint(theme, "inside_weight", "text")
        self._scale = TokenScale(theme)
        self._strongest = ""
        """What the chosen head attends to most, in words."""
        for part, pixels in ((self._table, TABLE_PX), (self._text, TEXT_PX)):
            scaled(theme, part, QWidget.setMinimumHeight, pixels)
        in_column(self._table, self._text, self._scale, self._told, on=self)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._text.pointed.connect(self._tell)

    def show_attention(self, prompt: ExactPrompt, attention: Attention) -> None:
        heads = sorted(attention.heads, key=lambda head: (head.here is HeadKind.SPREAD, -head.here_share))
        mean = [sum(each) / len(heads) for each in zip(*(head.weights for head in heads), strict=True)]
        self._rows = [tuple(mean), *(tuple(head.weights) for head in heads)]
        texts = [text for _, text in prompt.texts()]
        lines = [(tr("mean"), _most(mean, texts)), *(_line(head, texts) for head in heads)]
        self._text.show_prompt(prompt)
        self._table.show_rows(TITLES, lines, TIPS)
        difference = f"{attention.max_difference:.0e}" if attention.max_difference else "0"
        self._told.setToolTip(PROOF.format(difference=difference))
        self._table.selectRow(0)
        self._step()

    @Slot()
    def _step(self) -> None:
        """Dark is what this head attends to most; the words have the share itself."""
        row, prompt = self._table.currentIndex().row(), self._text.prompt
        if prompt is None or not 0 <= row < len(self._rows):
            return
        weights, words = self._rows[row], tr("{share} of the head's attention")
        most = max(weights) or 1.0
        self._text.show_grounds(
            lambda at: likely_ground(weights[at] / most, self._theme),
            lambda at: words.format(share=chance(weights[at])),
        )
        self._scale.show_ends(chance(0), chance(most), Colour.LIKELY)
        self._strongest = told_token(prompt, weights.index(max(weights)), words.format(share=chance(most)))
        self._tell("")

    @Slot(str)
    def _tell(self, words: str) -> None:
        self._told.say(words or self._strongest)


def _line(head: Head, texts: Sequence[str]) -> tuple[str, str]:
    does = f" ({NAMES[head.here]})" if head.here in NAMES else ""
    return f"L{head.layer} H{head.head}", _most(head.weights, texts) + does


def _most(weights: Sequence[float], texts: Sequence[str]) -> str:
    share, text = max(zip(weights, texts, strict=False))
    return f"“{legible(text)[:MOST_CHARACTERS]}” {chance(share)}"
