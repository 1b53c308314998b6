"""The foot of a form: what is wrong, how far it has come, and the button that starts and stops."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.ui.look import Colour, Theme
from app.ui.widgets.announcer import Announcer
from app.ui.widgets.buttons import push_button
from app.ui.widgets.rows import in_column
from app.ui.widgets.small_print import SmallPrint
from app.ui.widgets.thin_bar import ThinBar

BAR_PX = 6
STOP_TIP = tr("Stop (Esc); what has ended stays")


class StartBlock(QWidget):
    """Its parts are called by the window's name; `tip` says what is started."""

    start_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, theme: Theme, name: str, tip: str) -> None:
        super().__init__()
        self.going = False
        self._tip, self._why = tip, ""
        self._words_now = tr("Start")
        self._details = ""
        self._trouble = SmallPrint(theme, f"{name}_trouble", "error")
        self._announcer = Announcer(self._trouble)
        tip_copy = tr("Copy what is known of the failure")
        self._copy = push_button(f"{name}_copy_details", tr("Copy details"), tip_copy, kind="small")
        self._copy.clicked.connect(self._copy_details)
        self._copy.hide()
        self._words = SmallPrint(theme, f"{name}_progress", "text")
        self._bar = ThinBar(theme, f"{name}_bar", Colour.DECODE, BAR_PX)
        self._bar.hide()
        self.button = push_button(f"{name}_start", self._words_now, tip, kind="primary", press=self._start_or_stop)
        copy = (self._copy, 0, Qt.AlignmentFlag.AlignLeft)
        in_column(self._trouble, copy, self._words, self._bar, self.button, on=self)

    def show_going(self, words: str | None, done: int = 0, total: int = 0) -> None:
        """How far it has come; `total` 0: not known. None: nothing goes on."""
        self.going = words is not None
        self._words.say(words or "")
        self._bar.setVisible(self.going)
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.setAccessibleName(words or "")
        self.call(self._words_now)

    def call(self, words: str) -> None:
        """What the button says while nothing goes on."""
        self._words_now = words
        text = tr("Stop") if self.going else words
        self.button.setText(text)
        self.button.setAccessibleName(text)
        self.button.setToolTip(STOP_TIP if self.going else self._why or self._tip)

    def allow(self, ready: bool, stopping: bool = False, why: str = "") -> None:
        """Whether Start can be pressed, and why not; while it goes on Stop can, unless that was done."""
        self._why = "" if ready else why
        self.button.setEnabled(not stopping if self.going else ready)
        self.call(self._words_now)

    def show_failure(self, failure: Failure | None) -> None:
        """Why something could not be done, with what is known of that; None: it was."""
        self.say(failure.sentence if failure else "", details=failure.details if failure else "")

    def say(self, words: str, kind: str = "error", details: str = "") -> None:
        """Why something could not be done, or what has to be known; empty: nothing. `details` are for who helps."""
        self._trouble.say(words, kind)
        self._details = details
        self._copy.setVisible(bool(details))
        self._announcer.say(words, urgent=kind == "error")

    @Slot()
    def _start_or_stop(self) -> None:
        (self.stop_wanted if self.going else self.start_wanted).emit()

    @Slot()
    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._trouble.text()}\n{self._details}")
