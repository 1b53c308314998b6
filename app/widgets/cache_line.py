"""The line below the exact prompt: what the cache has of it, why not more, and what it was worth."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.definitions import meanings
from app.widgets.small_button import small_button
from app.widgets.theme import GAP_PX, Theme
from app.widgets.words import Words
from app.words import tr

COMPARE = tr("Same turn, reuse off")
MEASURE = tr("Measure…")


@dataclass(frozen=True, slots=True)
class CacheSaid:
    """What is said of the cache; `token` is the first one that it does not hold, where there is one to look at."""

    words: str = ""
    token: int | None = None
    comparable: bool = False
    """The same turn can be run once more without what the cache had."""


class CacheLine(QWidget):
    """`reveal_wanted` with a token of the prompt; `comparison_wanted` to run the turn again without reuse, once."""

    reveal_wanted = Signal(int)
    comparison_wanted = Signal()
    measure_wanted = Signal()
    """The same several times, with its spread."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._said = CacheSaid()
        self._words = Words(theme, "cache_words", "text")
        self._words.setToolTip(meanings("reused", "new"))
        self._reveal = small_button(
            "reveal_difference", tr("Show it"), tr("Show the first token that the cache does not hold")
        )
        self._compare = small_button(
            "compare_reuse", COMPARE, tr("Run the same prompt again without the cache, beside the conversation")
        )
        self._measure = small_button("measure_reuse", MEASURE, tr("Run it with and without the cache several times"))
        self._measure.clicked.connect(self.measure_wanted)
        self._reveal.clicked.connect(self._ask_reveal)
        self._compare.clicked.connect(self.comparison_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP_PX)
        row.addWidget(self._words, 1)
        for button in (self._reveal, self._compare, self._measure):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.show_said(self._said)

    def show_said(self, said: CacheSaid) -> None:
        """Nothing to say hides the line."""
        self._said = said
        self._words.say(said.words)
        if said.token is not None:
            self._reveal.setText(tr("Show token {number}").format(number=f"{said.token + 1:,}"))
            self._reveal.setAccessibleName(self._reveal.text())
        self._reveal.setVisible(said.token is not None)
        for button in (self._compare, self._measure):
            button.setVisible(said.comparable)
        self.setVisible(bool(said.words))

    @Slot()
    def _ask_reveal(self) -> None:
        if self._said.token is not None:
            self.reveal_wanted.emit(self._said.token)
