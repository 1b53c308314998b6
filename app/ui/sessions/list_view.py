"""The list of sessions: painting, mouse, keys and context menu."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.i18n import tr
from app.records.types import SessionId
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.sessions.list_model import NOTE, ROW, DayHeading, ExperimentsHeading, SessionRow, SessionsModel
from app.ui.widgets import named
from app.ui.widgets.table_model import Index, is_right_to_left

LINE_PX = 30
RESULT_PX = 48
BAR_PX = 3
RADIUS_PX = 6
PIN = "◆"
_RUNS = (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft)
_MIDDLE = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_LOW = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
_HOVERED = QStyle.StateFlag.State_MouseOver
_SELECTED = QStyle.StateFlag.State_Selected
_FOCUSED = QStyle.StateFlag.State_HasFocus
MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SessionDelegate(QStyledItemDelegate):
    """`present` is the displayed session, `running` the one whose answer is being generated."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.present: SessionId = 0
        self.running: SessionId = 0
        self.found = False
        """The rows have excerpts under their titles."""
        self.several = False
        """More than one row is selected."""

    def _paint_heading(self, painter: QPainter, rect: QRect, heading: DayHeading | ExperimentsHeading) -> None:
        painter.setFont(self._theme.font(Size.SMALL, bold=True))
        painter.setPen(self._theme.color(Color.MUTED))
        painter.drawText(rect.adjusted(MARGIN_PX, 0, -GAP_PX, -GRID_PX), _LOW, heading.text)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, row: SessionRow) -> None:
        rect, state = option.rect.adjusted(GRID_PX, 1, -GRID_PX, -1), option.state
        painter.setPen(Qt.PenStyle.NoPen)
        chosen = self.several and bool(state & _SELECTED)
        if chosen or row.session.id == self.present or state & _HOVERED:
            ground = (Color.USER, 1.0 if row.session.id == self.present else 0.6)
            painter.setBrush(self._theme.color(*((Color.ACCENT, 0.25) if chosen else ground)))
            painter.drawRoundedRect(rect, RADIUS_PX, RADIUS_PX)
        if row.session.id == self.present:
            painter.setBrush(self._theme.color(Color.ACCENT))
            painter.drawRoundedRect(QRect(rect.left(), rect.top() + 5, BAR_PX, rect.height() - 10), 1, 1)
        if state & _FOCUSED:
            self._paint_focus(painter, rect)

    def _paint_focus(self, painter: QPainter, rect: QRect) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._theme.color(Color.ACCENT))
        painter.drawRoundedRect(rect, RADIUS_PX, RADIUS_PX)

    def _paint_line(self, painter: QPainter, rect: QRect, row: SessionRow, note: str) -> None:
        note_room = self._paint_note(painter, rect, row, note)
        painter.setFont(self._theme.font(Size.NORMAL))
        painter.setPen(self._theme.color(Color.TEXT))
        metrics = QFontMetrics(painter.font())
        room = rect.adjusted(0, 0, -note_room, 0)
        # Otherwise the ellipsis of a Hebrew title would be at its beginning.
        title = row.session.title
        painter.setLayoutDirection(_RUNS[is_right_to_left(title)])
        painter.drawText(room, _MIDDLE, metrics.elidedText(title, Qt.TextElideMode.ElideRight, room.width()))

    def _paint_note(self, painter: QPainter, rect: QRect, row: SessionRow, note: str) -> int:
        """Paint the note right of the title; return its width."""
        note = " ".join(filter(None, (note, PIN if row.session.pinned else "")))
        if not note:
            return 0
        painter.setFont(self._theme.font(Size.SMALL))
        is_running = row.session.id == self.running
        role = Color.DECODE if is_running else Color.WARNING if row.session.interrupted else Color.MUTED
        painter.setPen(self._theme.color(role))
        painter.drawText(rect, _RIGHT, note)
        return QFontMetrics(painter.font()).horizontalAdvance(note) + GAP_PX

    def _paint_excerpt(self, painter: QPainter, rect: QRect, row: SessionRow) -> None:
        room, reversed_ = QRect(rect), is_right_to_left(row.excerpt)
        painter.setLayoutDirection(_RUNS[reversed_])
        for text, bold in centred(_pieces(row), room.width(), self._theme, reversed_):
            painter.setFont(self._theme.font(Size.SMALL, bold=bold))
            painter.setPen(self._theme.color(Color.TEXT if bold else Color.MUTED))
            metrics = QFontMetrics(painter.font())
            painter.drawText(room, _MIDDLE, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width()))
            taken = metrics.horizontalAdvance(text)
            room.adjust(0 if reversed_ else taken, 0, -taken if reversed_ else 0, 0)
            if room.width() <= 0:
                return

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        if isinstance(row, DayHeading | ExperimentsHeading):
            self._paint_heading(painter, rect, row)
            if option.state & _FOCUSED:
                self._paint_focus(painter, rect.adjusted(GRID_PX, 1, -GRID_PX, -1))
        elif isinstance(row, SessionRow):
            self._paint_ground(painter, option, row)
            inside = rect.adjusted(MARGIN_PX, 0, -MARGIN_PX, 0)
            if row.excerpt:
                half = rect.height() // 2
                self._paint_line(painter, inside.adjusted(0, 4, 0, -half + 2), row, index.data(NOTE))
                self._paint_excerpt(painter, inside.adjusted(0, half - 2, 0, -4), row)
            else:
                self._paint_line(painter, inside, row, index.data(NOTE))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.scaled(RESULT_PX if self.found else LINE_PX))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        tip = tr("Leave the title empty to use the first words of the session")
        editor = named(QLineEdit(parent), "session_title", tr("Title of the session"), tip)
        editor.setAutoFillBackground(True)
        editor.setBackgroundRole(QPalette.ColorRole.Base)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect.adjusted(GRID_PX, 1, -GRID_PX, -1))


def _pieces(row: SessionRow) -> list[tuple[str, bool]]:
    pieces, at = [], 0
    for start, end in row.marks:
        pieces += [(row.excerpt[at:start], False), (row.excerpt[start:end], True)]
        at = end
    pieces.append((row.excerpt[at:], False))
    return [(" ".join(text.split("\n")), bold) for text, bold in pieces if text]


def centred(pieces: list[tuple[str, bool]], room: int, theme: Theme, reversed_: bool = False) -> list[tuple[str, bool]]:
    """Cut the text before the first match, to center the match in a line that is too short."""
    fonts = [QFontMetrics(theme.font(Size.SMALL, bold=bold)) for bold in (False, True)]
    widths = [fonts[bold].horizontalAdvance(text) for text, bold in pieces]
    if len(pieces) < 2 or pieces[0][1] or sum(widths) <= room:
        return pieces
    side = Qt.TextElideMode.ElideRight if reversed_ else Qt.TextElideMode.ElideLeft
    return [(fonts[0].elidedText(pieces[0][0], side, max(0, room - widths[1]) // 2), False), *pieces[1:]]


class SessionsListView(QListView):
    """The list of sessions. Its signals are the user's requests, with the session's id."""

    opened = Signal(int)
    found_opened = Signal(int, int, str)
    """Session, turn, and the text found there."""
    pinned = Signal(int, bool)
    duplicated = Signal(int)
    deleted = Signal(int, str)
    """Id and title."""
    exported = Signal(object)
    """tuple[int, ...]: sessions to export."""
    weighed = Signal(int)
    """Measure the perplexity of its answers."""
    reordered = Signal(object)
    """tuple[int, ...]: the new order of the pinned sessions."""
    undo_wanted = Signal()

    def __init__(self, model: SessionsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        description = tr("Enter opens a session, F2 renames it, Delete deletes it")
        named(self, "session_list", tr("Sessions"), description=description)
        self._model = model
        self._is_locked = False
        self.undoable = False
        self._delegate = SessionDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.clicked.connect(self._open_clicked)
        self.selectionModel().selectionChanged.connect(self._on_selected)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self.scheduleDelayedItemsLayout)

    @property
    def editing(self) -> bool:
        """Whether a title is being edited, so that the rows must not change."""
        return self.state() == QAbstractItemView.State.EditingState

    def set_undoable(self, undoable: bool) -> None:
        self.undoable = undoable

    def show_present(self, session: SessionId) -> None:
        self._delegate.present = session
        self.viewport().update()

    def show_running(self, session: SessionId) -> None:
        """Mark the session whose answer is being generated; it can't be deleted. 0: there is none."""
        self._delegate.running = session
        self.viewport().update()

    def set_locked(self, is_locked: bool) -> None:
        """Open no other session, and don't delete the open one."""
        self._is_locked = is_locked

    def show_found(self, found: bool) -> None:
        """Show search results, which have an excerpt each."""
        if found != self._delegate.found:
            self._delegate.found = found
            self.scheduleDelayedItemsLayout()

    def _enter(self) -> None:
        """Handle Enter as the system's file manager does; open a search result."""
        if sys.platform == "darwin" and not self._model.words and self._current() is not None:
            self.rename()
        else:
            self._open()

    def rename(self) -> None:
        if self._current() is not None:
            self.edit(self.currentIndex())

    def select(self, session: SessionId) -> None:
        row = self._model.row_of(session)
        if row >= 0:
            self.setCurrentIndex(self._model.index(row))

    def current(self) -> SessionId:
        """Return the id of the current session; 0: none."""
        row = self._model.at(self.currentIndex())
        return row.session.id if row is not None else 0

    def _current(self) -> SessionRow | None:
        return self._model.at(self.currentIndex())

    def _chosen(self) -> list[SessionRow]:
        positions = sorted(index.row() for index in self.selectedIndexes())
        return [row for position in positions if (row := self._model.at(self._model.index(position))) is not None]

    def _on_selected(self) -> None:
        self._delegate.several = len(self.selectedIndexes()) > 1
        self.viewport().update()

    def _open_clicked(self) -> None:
        """Open on a click without a modifier key, which would extend the selection."""
        if QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self._open()

    def _open(self) -> None:
        """Open the current session, or fold the experiments at their heading."""
        row = self._current()
        if isinstance(self.currentIndex().data(ROW), ExperimentsHeading):
            place = self.currentIndex().row()
            self._model.fold_experiments()
            self.setCurrentIndex(self._model.index(place))
        if row is None or self._is_locked:
            return
        if row.turn:
            self.found_opened.emit(row.session.id, row.turn, row.sought)
        else:
            self.opened.emit(row.session.id)

    def _pin(self) -> None:
        rows = self._chosen()
        for row in rows:
            self.pinned.emit(row.session.id, not rows[0].session.pinned)

    def _duplicate(self) -> None:
        for row in self._chosen():
            self.duplicated.emit(row.session.id)

    def _export(self) -> None:
        if rows := self._chosen():
            self.exported.emit(tuple(row.session.id for row in rows))

    def _weigh(self) -> None:
        if (row := self._current()) is not None:
            self.weighed.emit(row.session.id)

    def _delete(self) -> None:
        used = {self._delegate.running, self._delegate.present if self._is_locked else 0}
        rows = [row for row in self._chosen() if row.session.id not in used]
        if rows:
            # The next session becomes current.
            following = self._model.index(self._model.row_of(rows[-1].session.id) + 1)
            if self._model.at(following) is not None:
                self.setCurrentIndex(following)
        for row in rows:
            self.deleted.emit(row.session.id, row.session.title)

    def _move(self, before: SessionId | None, by: int = 0) -> None:
        """Move the selected pinned sessions before another one, or up or down by `by`."""
        pinned, moved = self._model.pinned, [row.session.id for row in self._chosen() if row.session.pinned]
        rest = [each for each in pinned if each not in moved]
        if moved and before not in moved and not self._model.words:
            at = pinned.index(moved[0]) + by if before is None else rest.index(before) if before else len(rest)
            at = min(max(0, at), len(rest))
            if (order := (*rest[:at], *moved, *rest[at:])) != pinned:
                self.reordered.emit(order)

    def _menu(self, row: SessionRow) -> QMenu:
        menu = QMenu(self)
        menu.setObjectName("session_menu")
        commands: tuple[tuple[str, str, Callable[[], None]], ...] = (
            (tr("Open"), "Return", self._open),
            (tr("Rename"), "F2", self.rename),
            (tr("Unpin") if row.session.pinned else tr("Pin"), "Ctrl+P", self._pin),
            (tr("Duplicate"), "Ctrl+D", self._duplicate),
            (tr("Export…"), "", self._export),
            (tr("Measure Perplexity…"), "", self._weigh),
            (tr("Delete"), "Delete", self._delete),
        )
        for text, key, command in commands:
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(key))
            action.triggered.connect(command)
            action.setEnabled(command != self._delete or row.session.id != self._delegate.running)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        if by_mouse:
            under = self.indexAt(event.pos())
            if self._model.at(under) is None:
                return
            if under not in self.selectedIndexes():
                self.setCurrentIndex(under)
        row = self._current()
        if row is not None:
            position = event.pos() if by_mouse else self.visualRect(self.currentIndex()).bottomLeft()
            self._menu(row).popup(self.viewport().mapToGlobal(QPoint(position)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        commands: dict[tuple[Qt.Key, bool], Callable[[], object]] = {
            (Qt.Key.Key_Return, False): self._enter,
            (Qt.Key.Key_Enter, False): self._enter,
            (Qt.Key.Key_Down, True): self._open,
            (Qt.Key.Key_F2, False): self.rename,
            (Qt.Key.Key_Delete, False): self._delete,
            (Qt.Key.Key_Backspace, with_control): self._delete,
            (Qt.Key.Key_P, True): self._pin,
            (Qt.Key.Key_D, True): self._duplicate,
            (Qt.Key.Key_Z, True): self.undo_wanted.emit,
        }
        command = commands.get((Qt.Key(event.key()), with_control))
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in MOVES:
            self._move(None, MOVES[Qt.Key(event.key())])
        elif command is not None:
            command()
        else:
            super().keyPressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Drop before the row under the pointer, or after it in its lower half."""
        position = event.position().toPoint()
        under = self.indexAt(position)
        below = position.y() > self.visualRect(under).center().y()
        row = self._model.at(self._model.index(under.row() + 1) if below else under)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._move(row.session.id if row is not None and row.session.pinned else 0)
