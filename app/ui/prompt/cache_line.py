"""The line below the exact prompt: what the cache has of it, why not more, and what it was worth."""

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from app.definitions import meanings
from app.i18n import tr
from app.ui.look import GAP_PX, Theme
from app.ui.widgets import SmallPrint, in_row, push_button

COMPARE = tr("Rerun without cache")
MEASURE = tr("Measure…")
LINES = 2
"""So many lines of words beside the buttons."""


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

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._said = CacheSaid()
        self._words = SmallPrint(theme, "cache_words", "text")
        self._words.setToolTip(meanings("reused", "new"))
        tip = tr("Show the first token that the cache does not hold")
        self._reveal = push_button("reveal_difference", tr("Show it"), tip, kind="small", press=self._ask_reveal)
        tip = tr("Run the same prompt again without the cache, beside the conversation")
        self._compare = push_button("compare_reuse", COMPARE, tip, kind="small", press=self.comparison_wanted)
        tip = tr("Run it with and without the cache several times")
        self._measure = push_button("measure_reuse", MEASURE, tip, kind="small", press=self.measure_wanted)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(GAP_PX)
        self._line.addWidget(self._words, 1)
        buttons = (self._reveal, self._compare, self._measure)
        self._buttons = in_row(*((each, 0, Qt.AlignmentFlag.AlignTop) for each in buttons), ...)
        self._line.addLayout(self._buttons)
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
        self._arrange()

    def _arrange(self) -> None:
        """The buttons stand beside the words, or below them where those would take more than two lines for it."""
        words = self._words.fontMetrics().horizontalAdvance(self._words.text())
        room = self.contentsRect().width() - self._buttons.sizeHint().width() - GAP_PX
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._line.setDirection(across if words <= LINES * room else down)

    def _ask_reveal(self) -> None:
        if self._said.token is not None:
            self.reveal_wanted.emit(self._said.token)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the buttons, whose place is below the words then."""
        least = super().minimumSizeHint()
        around = self.width() - self.contentsRect().width()
        return QSize(min(least.width(), self._buttons.minimumSize().width() + around), least.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
