"""What a process says, line by line: the last lines stay in view until somebody scrolls up."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPlainTextEdit

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import named

LINES = 2_000


class LogView(QPlainTextEdit):
    """The oldest lines make room for new ones."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True, maximumBlockCount=LINES)
        self._follows = True
        tip = tr("Output of the server; of a long log, the last lines")
        named(self, "serving_log", tr("Log"), tip, font=theme.font(Size.SMALL, mono=True))
        self.setPlaceholderText(tr("The output of the server appears here."))
        self.verticalScrollBar().valueChanged.connect(self._note)
        self.verticalScrollBar().rangeChanged.connect(self._follow)

    @Slot(int)
    def _note(self, value: int) -> None:
        self._follows = value >= self.verticalScrollBar().maximum()

    @Slot()
    def _follow(self) -> None:
        """Also when the window becomes smaller."""
        if self._follows:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
