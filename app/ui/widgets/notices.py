"""Bars and lines with a message or a question, in place of message boxes."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets.buttons import push_button, tool_button
from app.ui.widgets.labels import SmallPrint, plain_label
from app.ui.widgets.naming import as_tip
from app.ui.widgets.rows import Margins, in_column, in_row


class NoticeBar(QFrame):
    """Shows one message. `dismissed` carries the failure that the user dismissed, or None for a remark."""

    dismissed = Signal(object)
    announced = Signal(str)
    """The text of a new message."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._theme = theme
        self._details = ""
        self.failure: Failure | None = None
        """The current or last failure; None for a remark."""
        self._solve: Callable[[], object] = self.clear
        self._unread: dict[str, Callable[[], None]] = {}
        self._what = plain_label("notice_what", wraps=True, selectable=True)
        self._todo = plain_label("notice_todo", wraps=True, selectable=True)
        tip = tr("Copy the details for a report")
        self._copy = push_button(
            "copy_details", tr("Copy details"), tip, press=lambda: QGuiApplication.clipboard().setText(self._details)
        )
        tip = tr("Possible solutions")
        self._solution = push_button("notice_offer", "", tip, tr("Solution"), press=lambda: self._solve())
        close = tool_button("dismiss", "✕", tr("Dismiss"), tr("Dismiss"), kind="quiet", press=self._dismiss)
        words = in_column(self._what, self._todo, gap=GRID_PX)
        margins = (MARGIN_PX, GAP_PX, GAP_PX, GAP_PX)
        in_row((words, 1), self._solution, self._copy, close, on=self, margins=margins)
        self._wear()
        theme.changed.connect(self._wear)
        self.hide()

    def show_failure(self, failure: Failure, button: str = "", solve: Callable[[], object] | None = None) -> None:
        """Show a failure: what happened and what to do, with details to copy. `button` is the label of a solution."""
        self._details = f"{failure.what}\n{failure.todo}\n{failure.kind}\n{failure.details}".strip()
        self._show(failure, failure.what, failure.todo, button, solve)

    def show_remark(self, what: str, button: str = "", solve: Callable[[], object] | None = None) -> None:
        """Show a remark, which is no failure."""
        self._show(None, what, "", button, solve)

    def show_until_read(self, what: str, button: str = "", solve: Callable[[], object] | None = None) -> None:
        """Show a remark; a message that replaces it before it was read restores it."""
        self._unread[what] = partial(self.show_remark, what, button, solve)
        self._unread[what]()

    def clear(self) -> None:
        """Clear the message, which was read or no longer applies."""
        self.hide()
        self._unread.pop(self._what.text(), None)
        if self._unread:
            next(reversed(self._unread.values()))()

    def withdraw(self, what: str) -> None:
        """Clear this message, if it is the shown one."""
        if self._what.text() == what:
            self.clear()

    def _show(
        self, failure: Failure | None, what: str, todo: str, button: str, solve: Callable[[], object] | None
    ) -> None:
        self.failure = failure
        self._wear()
        self._what.setText(what)
        self._todo.setText(todo)
        self._todo.setVisible(bool(todo))
        self._copy.setVisible(failure is not None)
        self._solve = solve or self.clear
        self._solution.setText(button)
        self._solution.setAccessibleName(button)
        self._solution.setVisible(bool(button))
        words = f"{what} {todo}".rstrip()
        self.setAccessibleName(tr("Notice: {words}").format(words=words))
        self.show()
        self.announced.emit(words)

    def _dismiss(self) -> None:
        """Hide the bar before `dismissed` is emitted, since a listener may show another message."""
        failure = self.failure
        self.clear()
        self.dismissed.emit(failure)

    def _wear(self) -> None:
        """Style the text: failures are red and bold, remarks have the normal color."""
        edge = Color.ERROR if self.failure is not None else Color.ACCENT
        text = f"color: {self._theme.hex(Color.ERROR)}; font-weight: 600;" if self.failure is not None else ""
        surface, line = self._theme.hex(Color.SURFACE), self._theme.hex(Color.LINE)
        self.setStyleSheet(
            f"#notice {{ background: {surface}; border: 1px solid {line};"
            f" border-left: 4px solid {self._theme.hex(edge)}; }} #notice_what {{ {text} }}"
        )


DELETE, KEEP = tr("Delete"), tr("Keep")


class QuestionLine(QWidget):
    """A message or a question. `confirmed` is emitted when the user accepts."""

    confirmed = Signal()

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._words = SmallPrint(theme, f"{name}_words")
        self._words.setFont(theme.font(Size.NORMAL))
        self._yes = push_button(f"{name}_yes", DELETE, tr("OK"), press=self._confirm)
        self._no = push_button(f"{name}_no", KEEP, tr("Cancel (Esc)"), press=self.clear)
        in_row((self._words, 1), self._no, self._yes, on=self)
        self.clear()

    @property
    def asking(self) -> bool:
        return self.isVisible() and self._yes.isVisibleTo(self)

    def ask(self, words: str, yes: str = DELETE, no: str = KEEP) -> None:
        """Show a question; the focus is on No."""
        for button, text in ((self._yes, yes), (self._no, no)):
            button.setText(text)
            button.setAccessibleName(text)
        self._show(words, "muted", True)
        self._no.setFocus()

    def tell(self, words: str, kind: str = "muted") -> None:
        """Show a message without buttons."""
        self._show(words, kind, False)

    def clear(self) -> None:
        self.hide()

    def _show(self, words: str, kind: str, asks: bool) -> None:
        self._words.say(words, kind)
        self._yes.setVisible(asks)
        self._no.setVisible(asks)
        self.setVisible(bool(words))

    def _confirm(self) -> None:
        self.clear()
        self.confirmed.emit()


class UndoStrip(QFrame):
    """Stays visible until it is used; each Undo restores the last removal."""

    restored = Signal(object)
    """The removed object."""
    changed = Signal(bool)
    """Whether something can be restored."""

    def __init__(self, name: str, tip: str, margins: Margins = 0) -> None:
        super().__init__()
        self.setObjectName(f"{name}_undo_strip")
        self._removed: list[tuple[object, str]] = []
        self._label = plain_label(f"{name}_deleted")
        self._undo = push_button(f"{name}_undo", tr("Undo"), tip, press=self.undo)
        in_row((self._label, 1), self._undo, on=self, margins=margins)
        self.hide()

    def show_removed(self, removed: object, words: str) -> None:
        """Offer to undo a removal, with this text."""
        self._removed.append((removed, words))
        self._show()

    def undo(self) -> None:
        if self._removed:
            removed, _ = self._removed.pop()
            self._show()
            self.restored.emit(removed)

    def forget(self) -> None:
        """Drop all removals and hide the strip."""
        self._removed.clear()
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._removed))
        self.changed.emit(bool(self._removed))
        if self._removed:
            words = self._removed[-1][1]
            self._label.setAccessibleName(words)
            self._label.setToolTip(as_tip(words))
            room = max(0, self.width() - self._undo.sizeHint().width() - 2 * MARGIN_PX - GAP_PX)
            metrics = QFontMetrics(self._label.font())
            self._label.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()
