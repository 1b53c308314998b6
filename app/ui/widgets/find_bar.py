"""The search field, the find bar, and the connection of a bar with a view that finds and shows matches."""

from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QLineEdit, QToolButton, QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets.buttons import push_button, tool_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_row


class SearchField(QLineEdit):
    """A search field. `spoken` is its accessible name, `hint` its placeholder."""

    def __init__(self, name: str, spoken: str, hint: str, tip: str) -> None:
        super().__init__(placeholderText=hint, clearButtonEnabled=True)
        named(self, name, spoken, tip)
        for button in self.findChildren(QToolButton):
            named(button, f"{name}_clear", tr("Clear: {field}").format(field=spoken), tr("Clear"))


class FindBar(QFrame):
    """The bar above a view. Hidden until it is opened, unless it `stays`; Esc closes it and restores the focus."""

    sought = Signal()
    """The search text changed."""
    stepped = Signal(int)
    """1: go to the next match; −1: to the previous one."""
    left = Signal()

    def __init__(self, theme: Theme, name: str, spoken: str, *, stays: bool = False) -> None:
        super().__init__()
        self.setObjectName(f"{name}_find")
        self._stays = stays
        self._before: QWidget | None = None
        tip = tr("Enter: next match. Shift+Enter: previous match. Esc: close and return")
        self._field = SearchField(f"{name}_search", spoken, tr("Find"), tip)
        self._count = plain_label(f"{name}_found", font=theme.font(Size.SMALL), muted=True)
        self._steps = [
            push_button(f"{name}_{step}", sign, tip, tip, kind="small", press=partial(self.step, by))
            for step, sign, tip, by in (
                ("previous", "‹", tr("Previous match"), -1),
                ("next", "›", tr("Next match"), 1),
            )
        ]
        tip = tr("Close the search")
        self._leave = tool_button(f"{name}_leave", "✕", tip, tip, kind="quiet", press=self.leave)
        margins = 0 if stays else (GAP_PX, GRID_PX, GAP_PX, GRID_PX)
        in_row((self._field, 1), self._count, *self._steps, self._leave, on=self, gap=GRID_PX, margins=margins)
        self._field.textChanged.connect(self._seek)
        self._field.returnPressed.connect(self._enter)
        self.setVisible(stays)
        self._leave.setVisible(not stays)
        self.show_count(0, 0)

    @property
    def words(self) -> str:
        """The search text; empty if the bar is hidden."""
        return self._field.text().strip() if not self.isHidden() else ""

    @property
    def is_at_hand(self) -> bool:
        """Whether the searched view is visible."""
        above = self.parentWidget()
        return above is not None and above.isVisible()

    def take_keys(self, window: QWidget) -> None:
        """Give a separate window the find shortcuts of the main window."""
        above = window.parentWidget()
        for act in above.window().actions() if above is not None else ():
            if act.objectName().startswith("action_find"):
                window.addAction(act)

    def open(self) -> None:
        """Open the bar with the last search text selected."""
        if not self._field.hasFocus():
            self._before = QApplication.focusWidget()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        if self.isHidden():
            self.show()
            self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self._seek()

    def seek(self, words: str) -> None:
        """Search for these words without moving the keyboard focus."""
        self.show()
        changed = self._field.text() != words
        self._field.setText(words)
        if not changed:
            self._seek()

    def step(self, by: int) -> None:
        """Go to another match; open the bar if there is no search text."""
        if self.words:
            self.stepped.emit(by)
        else:
            self.open()

    def leave(self) -> None:
        """Close the bar and restore the previous focus."""
        had_keyboard = self.isAncestorOf(QApplication.focusWidget() or self)
        self.left.emit()
        if self._stays:
            self._field.clear()
        else:
            self.hide()
        before, self._before = self._before, None
        if had_keyboard and before is not None and before.isVisible():
            before.setFocus()

    def show_count(self, at: int, count: int) -> None:
        """Show the number of the current match and the count."""
        #: Of the finds in a text: the third of twelve.
        words = tr("{number} of {count}").format(number=f"{at + 1:,}", count=f"{count:,}") if count else ""
        words = words if count or not self.words else tr("No matches.")
        self._count.setText(words)
        self._count.setAccessibleName(tr("Matches: {words}").format(words=words or tr("nothing yet")))
        for button in self._steps:
            button.setEnabled(count > 0)

    def _seek(self) -> None:
        if not self.words:
            self.show_count(0, 0)
        self.sought.emit()

    def _enter(self) -> None:
        held = QApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        self.step(-1 if held else 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.words or not self._stays):
            self.leave()
        else:
            super().keyPressEvent(event)


class SearchableView(Protocol):
    """A view that can be searched."""

    @property
    def nearest(self) -> int:
        """The index of the first match after the reading position."""

    def find(self, words: str) -> int:
        """Mark all matches and return their number; an empty text has none."""

    def show(self, at: int) -> None: ...

    def leave(self) -> None:
        """Remove the marks and restore the reading position."""


class Finder(QObject):
    """Steps through the matches while it is `wanted`, since two views may share a bar."""

    def __init__(self, bar: FindBar, finds: SearchableView, wanted: bool = True) -> None:
        super().__init__(bar)
        self.wanted = wanted
        self._bar, self._finds = bar, finds
        self._at = self._count = 0
        bar.sought.connect(self.seek)
        bar.stepped.connect(self._step)
        bar.left.connect(self._leave)

    def seek(self) -> None:
        """Search for a changed text, and show the nearest match."""
        if self.wanted:
            self._count = self._finds.find(self._bar.words)
            self._at = self._finds.nearest
            self._step(0)

    def look_again(self) -> None:
        """Search for the same words in a changed text, without moving."""
        if self.wanted and self._bar.words:
            self._count = self._finds.find(self._bar.words)
            self._bar.show_count(min(self._at, max(0, self._count - 1)), self._count)

    def _step(self, by: int) -> None:
        if self.wanted:
            self._at = (self._at + by) % max(1, self._count)
            self._bar.show_count(self._at, self._count)
            if self._count:
                self._finds.show(self._at)

    def _leave(self) -> None:
        if self.wanted:
            self._finds.leave()
