"""What the heads attend to from one token: a table of them, and grounds under the text for the chosen one."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.engine.types import Attention, ExactPrompt, Head, HeadKind
from app.figures import chance
from app.ui.look import Theme, scaled
from app.ui.tokens.chips import TokenChips
from app.ui.tokens.colours import LEVELS, ground
from app.ui.widgets import SmallPrint, in_column
from app.ui.widgets.word_table import WordTable
from app.words import tr

HEAD, DOES = tr("Head"), tr("Does")
TIPS = (
    tr("Layer and head, counted from 0"),
    tr("What it gives at least 40 % of its weight to, measured at this token"),
)
NAMES = {
    HeadKind.ITSELF: tr("itself"),
    HeadKind.PREVIOUS: tr("token before"),
    HeadKind.FIRST: tr("first token"),
    HeadKind.INDUCTION: tr("induction"),
    HeadKind.SAME: tr("same before"),
    HeadKind.DELIMITER: tr("delimiter"),
    HeadKind.SPREAD: tr("spread"),
}
MEANING = tr(
    "Where each head looked when this token was chosen: not why. Induction: at what followed the same token before."
    " The weights bring forth the layers' real output; the largest difference is {difference}."
)
TABLE_PX, TEXT_PX = 160, 140


class HeadsPart(QWidget):
    """The first line is the mean of all heads; the others come as clearly as they do one thing."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[tuple[float, ...]] = []
        self._table = WordTable(theme, "inside_heads", tr("Attention heads"))
        self._text = TokenChips(theme, "inside_text", tr("What the head attends to"))
        self._told = SmallPrint(theme, "inside_weight", "text")
        self._meaning = SmallPrint(theme, "inside_heads_meaning")
        for part, pixels in ((self._table, TABLE_PX), (self._text, TEXT_PX)):
            scaled(theme, part, QWidget.setMinimumHeight, pixels)
        in_column(self._table, self._text, self._told, self._meaning, on=self)
        self._table.selectionModel().currentRowChanged.connect(self._step)
        self._text.pointed.connect(self._told.say)

    def show_attention(self, prompt: ExactPrompt, attention: Attention) -> None:
        heads = sorted(attention.heads, key=lambda head: (head.here is HeadKind.SPREAD, -head.here_share))
        mean = [sum(each) / len(heads) for each in zip(*(head.weights for head in heads), strict=True)]
        self._rows = [tuple(mean), *(tuple(head.weights) for head in heads)]
        lines = [(tr("mean"), "–"), *(_line(head) for head in heads)]
        self._text.show_prompt(prompt)
        self._table.show_rows((HEAD, DOES), lines, TIPS)
        self._meaning.say(
            MEANING.format(difference=f"{attention.max_difference:.0e}" if attention.max_difference else "0")
        )
        self._table.selectRow(0)
        self._step()

    @Slot()
    def _step(self) -> None:
        """Dark is what this head attends to most; the words have the share itself."""
        row = self._table.currentIndex().row()
        if not 0 <= row < len(self._rows):
            return
        weights = self._rows[row]
        most = max(weights) or 1.0
        self._text.show_grounds(
            lambda at: ground(min(LEVELS - 1, int(weights[at] / most * LEVELS)), self._theme),
            lambda at: tr("{share} of the head's attention").format(share=chance(weights[at])),
        )


def _line(head: Head) -> tuple[str, str]:
    does = NAMES[head.here] if head.here is HeadKind.SPREAD else f"{NAMES[head.here]} {chance(head.here_share)}"
    return f"{head.layer}.{head.head}", does
