"""A window that has something started and stopped: its fields, its foot, and the files that are dropped on it."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.i18n import tr
from app.ui.look import Theme
from app.ui.widgets import drops
from app.ui.widgets.start_block import StartBlock
from app.ui.widgets.windows import begin_window

FIRST_PX, SMALLEST_PX = (1120, 760), (760, 480)


class StartWindow(QDialog):
    """Stays open beside the main one; its parts are called by `name`, and `tip` says what is started."""

    STARTING, STOPPING = tr("Starting…"), tr("Stopping…")
    opened = Signal()
    file_taken = Signal(object)
    """The path of a file or a folder."""

    def __init__(
        self, theme: Theme, parent: QWidget | None, name: str, title: str, tip: str, *, takes_files: bool = False
    ) -> None:
        super().__init__(parent)
        begin_window(theme, self, f"{name}_window", title, FIRST_PX, SMALLEST_PX)
        self.setAcceptDrops(takes_files)
        self.foot = StartBlock(theme, name, tip)
        self.fields: tuple[QWidget, ...] = ()
        """Which can't be changed while something goes on."""

    def begin(self, ask: Callable[[], bool]) -> bool:
        """Start becomes Stop before it is asked for, or it would be greyed in between and lose the keyboard; refused,
        it is Start again."""
        self.show_going(self.STARTING)
        begun = ask()
        if not begun:
            self.show_going(None)
        return begun

    def show_going(self, words: str | None, done: int = 0, total: int = 0) -> None:
        """How far it has come; `total` 0: not known. None: nothing goes on."""
        if self.foot.going is (words is None):
            focus = QApplication.focusWidget() or self
            if any(each is focus or each.isAncestorOf(focus) for each in self.fields):
                # What can't be changed any more would pass it on to the window as a whole.
                self.foot.button.setFocus()
            self.allow(words is None)
        self.foot.show_going(words, done, total)

    def allow(self, allowed: bool) -> None:
        """Whether anything can be set: not while it goes on."""
        for each in self.fields:
            each.setEnabled(allowed)

    def leave(self) -> None:
        """The program ends."""
        self.close()

    def reject(self) -> None:
        """Esc: while something goes on it stops that, as it does beside the conversation."""
        if self.foot.going:
            self.foot.stop_wanted.emit()
        else:
            super().reject()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if drops.paths_of(event.mimeData()) and not self.foot.going:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        for path in drops.paths_of(event.mimeData())[:1]:
            self.file_taken.emit(path)
