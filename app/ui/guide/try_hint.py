"""The line about input from the gallery, with a button that restores the previous input."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Theme
from app.ui.widgets import Announcer, SmallPrint, in_row, push_button


class TryHint(QWidget):
    undone = Signal()
    """Restore the previous input."""
    left = Signal()
    """Keep the new input."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("try_hint")
        self._announcer = Announcer(self)
        self._words = SmallPrint(theme, "try_words", "text")
        tip = tr("Restore the previous prompt and settings")
        self._undo = push_button("try_undo", tr("Put back"), tip, kind="small", press=self.undone)
        tip = tr("Hide this line")
        close = push_button("try_close", "✕", tip, tip, kind="small", press=self.left)
        in_row((self._words, 1), self._undo, close, on=self, margins=(MARGIN_PX + GRID_PX, GRID_PX, MARGIN_PX, 0))
        self.hide()

    def show_words(self, words: str) -> None:
        self._words.say(words)
        self._announcer.say(words)
        self.show()
