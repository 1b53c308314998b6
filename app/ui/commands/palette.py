"""The command palette: a search field over the list of all actions and settings."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from shiboken6 import isValid

from app.i18n import tr
from app.ui.commands.ranking import Command, RankedCommand, ranked
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets import Announcer, RoundedFrame, in_column, named, plain_label
from app.ui.widgets.find_bar import SearchField
from app.ui.widgets.table_model import Index

HIT = Qt.ItemDataRole.UserRole
ROW_PX = 30
RADIUS_PX = 6
CHECK_PX = 20
CHECK = "✓"

_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_ELIDED = Qt.TextElideMode.ElideRight


class CommandListModel(QAbstractListModel):
    """The list's rows; disabled commands can be selected, but not run."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[RankedCommand, ...] = ()

    def show_hits(self, hits: Sequence[RankedCommand]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return hit.command.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return hit.command.spoken
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return hit.command.tip
        return hit if role == HIT else None


class HitDelegate(QStyledItemDelegate):
    """Paints the matched letters in bold, the menu or the reason, and the keys."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, line_above: bool) -> None:
        rect, state = option.rect, option.state
        if line_above:
            painter.setPen(self._theme.color(Color.LINE))
            painter.drawLine(rect.left() + MARGIN_PX, rect.top(), rect.right() - MARGIN_PX, rect.top())
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            inside = rect.adjusted(GRID_PX, 2, -GRID_PX, -2)
            painter.setPen(self._theme.color(Color.ACCENT) if chosen else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(Color.USER, 1.0 if chosen else 0.6))
            painter.drawRoundedRect(inside, RADIUS_PX, RADIUS_PX)

    def _paint_keys(self, painter: QPainter, rect: QRect, hit: RankedCommand) -> int:
        """Paint the keys at the right; return their width."""
        if not hit.command.keys:
            return 0
        painter.setFont(self._theme.font(Size.NORMAL))
        painter.setPen(self._theme.color(Color.MUTED))
        painter.drawText(rect, _RIGHT, hit.command.keys)
        return painter.fontMetrics().horizontalAdvance(hit.command.keys) + 2 * GAP_PX

    def _paint_words(self, painter: QPainter, rect: QRect, hit: RankedCommand) -> int:
        """Paint the command's text; return its width."""
        at = rect.left()
        painter.setPen(self._theme.color(Color.TEXT if hit.command.enabled else Color.MUTED))
        for text, bold in _pieces(hit):
            painter.setFont(self._theme.font(Size.NORMAL, bold=bold))
            metrics, room = QFontMetrics(painter.font()), rect.right() - at
            painter.drawText(QRect(at, rect.top(), max(0, room), rect.height()), _LEFT, _fitted(metrics, text, room))
            at += metrics.horizontalAdvance(text)
        return at - rect.left()

    def _paint_place(self, painter: QPainter, rect: QRect, hit: RankedCommand) -> None:
        """Paint the menu's name, or the reason why the command is disabled."""
        words = hit.command.menu if hit.command.enabled else hit.command.needs
        painter.setFont(self._theme.font(Size.SMALL))
        painter.setPen(self._theme.color(Color.MUTED))
        painter.drawText(rect, _LEFT, _fitted(painter.fontMetrics(), words, rect.width()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        hit: RankedCommand = index.data(HIT)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option, hit.line_above)
        rect: QRect = option.rect.adjusted(MARGIN_PX, 0, -MARGIN_PX, 0)
        if hit.command.checked:
            painter.setPen(self._theme.color(Color.TEXT if hit.command.enabled else Color.MUTED))
            painter.setFont(self._theme.font(Size.NORMAL))
            painter.drawText(rect, _LEFT, CHECK)
        rect.adjust(self._theme.scaled(CHECK_PX), 0, -self._paint_keys(painter, rect, hit), 0)
        rect.adjust(self._paint_words(painter, rect, hit) + MARGIN_PX, 0, 0, 0)
        self._paint_place(painter, rect, hit)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.scaled(ROW_PX))


def _pieces(hit: RankedCommand) -> list[tuple[str, bool]]:
    """Split the text where bold begins or ends."""
    pieces: list[tuple[str, bool]] = []
    for at, letter in enumerate(hit.command.text):
        bold = at in hit.marks
        if pieces and pieces[-1][1] == bold:
            pieces[-1] = (pieces[-1][0] + letter, bold)
        else:
            pieces.append((letter, bold))
    return pieces


def _fitted(metrics: QFontMetrics, text: str, room: int) -> str:
    return metrics.elidedText(text, _ELIDED, max(0, room))


PAGE = 8
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -PAGE, Qt.Key.Key_PageDown: PAGE}
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
OWN = frozenset((*STEPS, *ENTER, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab))
WINDOW_REASONS = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Focus reasons of a window that lost the focus, after which the field stays open."""
HINT = tr("Find an action")
MAX_WIDTH_PX = 620
MAX_ROWS = 12
NOTHING = tr("No action has these words.")


class CommandPalette(QWidget):
    """The command palette. Covers its parent: a click outside closes it. `run` gets the chosen command's name."""

    def __init__(self, theme: Theme, parent: QWidget, run: Callable[[str], object]) -> None:
        super().__init__(parent)
        named(self, "command_palette", tr("Command palette"))
        self._run = run
        self._commands: tuple[Command, ...] = ()
        self._recent: tuple[str, ...] = ()
        self._around = parent
        self._theme = theme
        self._before: QWidget | None = None
        self._box = RoundedFrame(theme, Color.SURFACE, Color.OUTLINE, self)
        tip = tr("A few letters are enough; the arrow keys move in the list, Enter runs the action")
        self.line = SearchField("command_line", HINT, HINT, tip)
        self.line.setFont(theme.font(Size.PROSE))
        self._announcer = Announcer(self.line)
        self._hits = CommandListModel(self)
        self.list = self._list(theme)
        self._foot = plain_label("command_tip", font=theme.font(Size.SMALL), muted=True)
        self._foot.setContentsMargins(GAP_PX, 0, GAP_PX, 0)
        in_column(self.line, (self.list, 1), self._foot, on=self._box, gap=GRID_PX, margins=GAP_PX)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(lambda: self._show_hits(""))
        self.list.clicked.connect(self._choose)
        self.list.selectionModel().currentChanged.connect(self._show_tip)
        theme.changed.connect(self._on_theme_changed)
        self.hide()

    @property
    def current(self) -> Command | None:
        hit: RankedCommand | None = self.list.currentIndex().data(HIT)
        return hit.command if hit is not None else None

    def open_with(self, commands: Sequence[Command], recent: Sequence[str]) -> None:
        self._commands, self._recent = tuple(commands), tuple(recent)
        self._before = self.window().focusWidget()
        self._around.installEventFilter(self)
        self.show()
        self.raise_()
        self.line.clear()
        self._show_hits("")
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def leave(self) -> None:
        """Close, and return the focus."""
        if self.isHidden():
            return
        had_keyboard = self.line.hasFocus() or self.window().focusWidget() is self.line
        before, self._before = self._before, None
        self._around.removeEventFilter(self)
        self.hide()
        if had_keyboard and before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _list(self, theme: Theme) -> QListView:
        described = tr("Commands that match the text; Enter runs the selected one")
        rows = named(QListView(), "command_list", tr("Actions"), description=described)
        rows.setModel(self._hits)
        rows.setItemDelegate(HitDelegate(theme, rows))
        rows.setUniformItemSizes(True)
        rows.setFrameShape(QFrame.Shape.NoFrame)
        rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        rows.setMouseTracking(True)
        rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return rows

    def renew(self, commands: Sequence[Command]) -> None:
        """Replace the commands; the current one stays current."""
        current = self.current
        self._commands = tuple(commands)
        self._show_hits(current.name if current is not None else "")

    def _show_hits(self, current: str) -> None:
        hits = ranked(self._commands, self.line.text(), self._recent)
        self._hits.show_hits(hits)
        self.list.scrollToTop()
        row = next((row for row, hit in enumerate(hits) if hit.command.name == current), 0)
        self.list.setCurrentIndex(self._hits.index(row))
        self.list.setVisible(self._hits.rowCount() > 0)
        if self.list.isHidden():
            self._show_text(NOTHING, NOTHING)
        self._place()

    def _step(self, by: int) -> None:
        """Move by rows. Single steps wrap around, pages don't."""
        last, at = self._hits.rowCount() - 1, self.list.currentIndex().row()
        if last >= 0:
            row = (at + by) % (last + 1) if abs(by) == 1 else min(max(0, at + by), last)
            self.list.setCurrentIndex(self._hits.index(row))

    def _choose(self) -> None:
        command = self.current
        if command is not None and command.enabled:
            self.leave()
            self._run(command.name)

    def _show_tip(self) -> None:
        if (command := self.current) is not None:
            self._show_text(command.tip, command.spoken)

    def _show_text(self, text: str, accessible_text: str) -> None:
        self._foot.setText(text)
        self._foot.setAccessibleName(text)
        self.line.setAccessibleDescription(accessible_text)
        # The focus stays in the field, so screen readers wouldn't read the current command.
        if self.isVisible():
            self._announcer.say(accessible_text, urgent=True)

    def _on_theme_changed(self) -> None:
        self.list.scheduleDelayedItemsLayout()
        self._place()

    def _place(self) -> None:
        """Place the box at the top center, as high as its rows."""
        around = self._around.rect()
        self.setGeometry(around)
        width = min(self._theme.scaled(MAX_WIDTH_PX), around.width() - 2 * MARGIN_PX)
        rows = min(MAX_ROWS, self._hits.rowCount())
        besides = self.line.sizeHint().height() + self._foot.sizeHint().height() + 2 * (GAP_PX + GRID_PX)
        height = min(besides + rows * self._theme.scaled(ROW_PX), around.height() - 2 * MARGIN_PX)
        self._box.setGeometry((around.width() - width) // 2, MARGIN_PX, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the parent, and handle the keys of the field, which keeps the focus."""
        if watched is self._around:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._place()
        elif isinstance(event, QFocusEvent):
            if event.lostFocus() and event.reason() not in WINDOW_REASONS:
                self.leave()
        elif isinstance(event, QKeyEvent) and event.key() in OWN:
            # As a shortcut, Esc would stop the run.
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self._press(Qt.Key(event.key()))
            return True
        return False

    def _press(self, key: Qt.Key) -> None:
        if key in STEPS:
            self._step(STEPS[key])
        elif key in ENTER:
            self._choose()
        elif key == Qt.Key.Key_Escape:
            self.leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._box.geometry().contains(event.position().toPoint()):
            self.leave()
