"""The command palette: everything the program can do, found by a few letters, run with Enter."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget
from shiboken6 import isValid

from app.i18n import tr
from app.ui.commands.hit_delegate import HIT, ROW_PX, HitDelegate, Hits
from app.ui.commands.ranking import RankedCommand, ranked
from app.ui.commands.values import Command
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Colour, Size, Theme
from app.ui.widgets import Announcer, RoundedFrame, in_column, named, plain_label
from app.ui.widgets.search_field import SearchField

PAGE = 8
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -PAGE, Qt.Key.Key_PageDown: PAGE}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
OWN = frozenset((*STEPS, *ENTER, Qt.Key.Key_Escape))
GONE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""The keyboard is not in the window at all: nothing in it was chosen instead."""
HINT = tr("What would you like to do?")
WIDEST_PX = 620
MOST_ROWS = 12
NOTHING = tr("No action has these words.")


class CommandLine(SearchField):
    """`stepped` by so many rows, `entered` with Enter, `left` with Esc or for another part of the window."""

    stepped = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        tip = tr("Some letters of its words are enough; the arrow keys move in the list, Enter does it")
        super().__init__("command_line", tr("Find an action"), HINT, tip)
        self.setFont(theme.font(Size.PROSE))

    def event(self, event: QEvent) -> bool:
        """Esc would stop a run otherwise: while this is open it only closes it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in OWN:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, following: bool) -> bool:
        """There is nowhere else to go here."""
        return True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in GONE:
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS:
            self.stepped.emit(STEPS[key])
        elif key in ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class CommandPalette(QWidget):
    """Lies over the whole of its parent, so that a click beside it closes it; `chosen` with a command's name."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "command_palette", tr("Command palette"))
        self._commands: tuple[Command, ...] = ()
        self._recent: tuple[str, ...] = ()
        self._around = parent
        self._theme = theme
        self._before: QWidget | None = None
        self._box = RoundedFrame(theme, Colour.SURFACE, Colour.OUTLINE, self)
        self.line = CommandLine(theme)
        self._announcer = Announcer(self.line)
        self._hits = Hits(self)
        self.list = self._list(theme)
        self._foot = plain_label("command_tip", font=theme.font(Size.SMALL), muted=True)
        self._foot.setContentsMargins(GAP_PX, 0, GAP_PX, 0)
        in_column(self.line, (self.list, 1), self._foot, on=self._box, gap=GRID_PX, margins=GAP_PX)
        self._listen()
        self.hide()

    @property
    def current(self) -> Command | None:
        """The command that Enter would run."""
        hit: RankedCommand | None = self.list.currentIndex().data(HIT)
        return hit.command if hit is not None else None

    def open_with(self, commands: Sequence[Command], recent: Sequence[str]) -> None:
        """Come up, nothing typed yet."""
        self._commands, self._recent = tuple(commands), tuple(recent)
        self._before = self.window().focusWidget()
        self._around.installEventFilter(self)
        self.show()
        self.raise_()
        self.line.clear()
        self._search()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    @Slot()
    def leave(self) -> None:
        """Close; the keyboard goes back to where it was, unless it went elsewhere by itself."""
        if self.isHidden():
            return
        had_keyboard = self.line.hasFocus() or self.window().focusWidget() is self.line
        before, self._before = self._before, None
        self._around.removeEventFilter(self)
        self.hide()
        if had_keyboard and before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _list(self, theme: Theme) -> QListView:
        told = tr("What fits the words typed; Enter runs the current one")
        rows = named(QListView(), "command_list", tr("Actions"), told=told)
        rows.setModel(self._hits)
        rows.setItemDelegate(HitDelegate(theme, rows))
        rows.setUniformItemSizes(True)
        rows.setFrameShape(QFrame.Shape.NoFrame)
        rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        rows.setMouseTracking(True)
        rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return rows

    def _listen(self) -> None:
        self.line.textChanged.connect(self._search)
        self.line.stepped.connect(self._step)
        self.line.entered.connect(self._choose)
        self.line.left.connect(self.leave)
        self.list.clicked.connect(self._choose)
        self.list.selectionModel().currentChanged.connect(self._tell)
        self._theme.changed.connect(self._wear)

    def renew(self, commands: Sequence[Command]) -> None:
        """Some can be used now, or no more; the current one stays so."""
        current = self.current
        self._commands = tuple(commands)
        self._show_hits(current.name if current is not None else "")

    @Slot()
    def _search(self) -> None:
        self._show_hits("")

    def _show_hits(self, current: str) -> None:
        hits = ranked(self._commands, self.line.text(), self._recent)
        self._hits.show_hits(hits)
        self.list.scrollToTop()
        row = next((row for row, hit in enumerate(hits) if hit.command.name == current), 0)
        self.list.setCurrentIndex(self._hits.index(row))
        self.list.setVisible(self._hits.rowCount() > 0)
        if self.list.isHidden():
            self._say(NOTHING, NOTHING)
        self._place()

    @Slot(int)
    def _step(self, by: int) -> None:
        """One step leads from the last row to the first; a page stops there."""
        last, at = self._hits.rowCount() - 1, self.list.currentIndex().row()
        if last >= 0:
            row = (at + by) % (last + 1) if abs(by) == 1 else min(max(0, at + by), last)
            self.list.setCurrentIndex(self._hits.index(row))

    @Slot()
    def _choose(self) -> None:
        command = self.current
        if command is not None and command.enabled:
            self.leave()
            self.chosen.emit(command.name)

    @Slot(QModelIndex, QModelIndex)
    def _tell(self) -> None:
        if (command := self.current) is not None:
            self._say(command.tip, command.told)

    def _say(self, words: str, spoken: str) -> None:
        self._foot.setText(words)
        self._foot.setAccessibleName(words)
        self.line.setAccessibleDescription(spoken)
        # The keyboard stays in the field, so nobody would hear what it is about to run.
        if self.isVisible():
            self._announcer.say(spoken, urgent=True)

    @Slot()
    def _wear(self) -> None:
        """Other colours, or text of another size."""
        self.list.scheduleDelayedItemsLayout()
        self._place()

    def _place(self) -> None:
        """At the top, in the middle, no higher than what there is to show."""
        around = self._around.rect()
        self.setGeometry(around)
        width = min(self._theme.scaled(WIDEST_PX), around.width() - 2 * MARGIN_PX)
        rows = min(MOST_ROWS, self._hits.rowCount())
        besides = self.line.sizeHint().height() + self._foot.sizeHint().height() + 2 * (GAP_PX + GRID_PX)
        height = min(besides + rows * self._theme.scaled(ROW_PX), around.height() - 2 * MARGIN_PX)
        self._box.setGeometry((around.width() - width) // 2, MARGIN_PX, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window has another size."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._box.geometry().contains(event.position().toPoint()):
            self.leave()
