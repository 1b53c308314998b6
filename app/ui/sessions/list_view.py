"""The list itself: a click or Enter opens, F2 renames, Delete deletes, the menu has the rest."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QDropEvent, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QAbstractItemView, QApplication, QListView, QMenu, QWidget

from app.i18n import tr
from app.records.types import SessionId
from app.ui.look import Theme
from app.ui.sessions.delegate import SessionDelegate
from app.ui.sessions.list_model import SessionsModel
from app.ui.sessions.rows import SessionRow
from app.ui.widgets import named

MOVES = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SessionsListView(QListView):
    """What is wanted of a session is told with its number."""

    opened = Signal(int)
    found_opened = Signal(int, int, str)
    """A session, a turn of it, and what was found there."""
    pinned = Signal(int, bool)
    duplicated = Signal(int)
    deleted = Signal(int, str)
    """Its number and its title."""
    exported = Signal(object)
    """tuple[int, ...]: these are to be written into files."""
    weighed = Signal(int)
    """Its answers are to be weighed."""
    reordered = Signal(object)
    """tuple[int, ...]: the pinned ones, as they are to stand."""
    undo_wanted = Signal()

    def __init__(self, model: SessionsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "session_list", tr("Sessions"), "", told=tr("Enter opens one, F2 renames it, Delete deletes it"))
        self._model = model
        self._held = False
        self.undoable = False
        """Whether something that was deleted can be brought back."""
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
        self.selectionModel().selectionChanged.connect(self._tell_several)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self.scheduleDelayedItemsLayout)

    @property
    def editing(self) -> bool:
        """A title is being typed: the rows must stay where they are."""
        return self.state() == QAbstractItemView.State.EditingState

    def show_present(self, session: SessionId) -> None:
        """Which session is open in the window."""
        self._delegate.present = session
        self.viewport().update()

    def set_held(self, held: bool) -> None:
        """A run goes on: no other session is opened, and the present one is not deleted."""
        self._held = held

    def show_found(self, found: bool) -> None:
        """Whether the rows are finds, with an excerpt each."""
        if found != self._delegate.found:
            self._delegate.found = found
            self.scheduleDelayedItemsLayout()

    def _enter(self) -> None:
        """As files have it on this system; what was found is opened."""
        if sys.platform == "darwin" and not self._model.words:
            self.rename()
        else:
            self._open()

    def rename(self) -> None:
        """Type over the title of the current session."""
        if self._current() is not None:
            self.edit(self.currentIndex())

    def select(self, session: SessionId) -> None:
        """Make it the current one, where it is listed."""
        row = self._model.row_of(session)
        if row >= 0:
            self.setCurrentIndex(self._model.index(row))

    def current(self) -> SessionId:
        """The one that the keyboard is on, also where nothing can be done with it."""
        row = self._model.at(self.currentIndex())
        return row.session.id if row is not None else 0

    def _current(self) -> SessionRow | None:
        return self._model.at(self.currentIndex())

    def _chosen(self) -> list[SessionRow]:
        """All that are selected, from the top."""
        places = sorted(index.row() for index in self.selectedIndexes())
        return [row for place in places if (row := self._model.at(self._model.index(place))) is not None]

    @Slot()
    def _tell_several(self) -> None:
        self._delegate.several = len(self.selectedIndexes()) > 1
        self.viewport().update()

    @Slot()
    def _open_clicked(self) -> None:
        """With a key held, a click only adds to what is selected."""
        if QApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier:
            self._open()

    def _open(self) -> None:
        row = self._current()
        if row is None or self._held:
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
        rows = [row for row in self._chosen() if not (self._held and row.session.id == self._delegate.present)]
        if rows:
            # Whoever deletes several goes on with the next one.
            following = self._model.index(self._model.row_of(rows[-1].session.id) + 1)
            if self._model.at(following) is not None:
                self.setCurrentIndex(following)
        for row in rows:
            self.deleted.emit(row.session.id, row.session.title)

    def _move(self, before: SessionId | None, by: int = 0) -> None:
        """The selected pinned ones before another one or, without one, so far up or down."""
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
        wishes: tuple[tuple[str, str, Callable[[], None]], ...] = (
            (tr("Open"), "Return", self._open),
            (tr("Rename"), "F2", self.rename),
            (tr("Unpin") if row.session.pinned else tr("Pin"), "Ctrl+P", self._pin),
            (tr("Duplicate"), "Ctrl+D", self._duplicate),
            (tr("Export…"), "", self._export),
            (tr("Weigh This Session…"), "", self._weigh),
            (tr("Delete"), "Delete", self._delete),
        )
        for text, key, wish in wishes:
            action = menu.addAction(text)
            action.setShortcut(QKeySequence(key))
            action.triggered.connect(wish)
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
            place = event.pos() if by_mouse else self.visualRect(self.currentIndex()).bottomLeft()
            self._menu(row).popup(self.viewport().mapToGlobal(QPoint(place)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        wishes: dict[tuple[Qt.Key, bool], Callable[[], object]] = {
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
        wish = wishes.get((Qt.Key(event.key()), with_control))
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and event.key() in MOVES:
            self._move(None, MOVES[Qt.Key(event.key())])
        elif wish is not None:
            wish()
        else:
            super().keyPressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Before the one under the pointer, or behind it below its middle."""
        place = event.position().toPoint()
        under = self.indexAt(place)
        below = place.y() > self.visualRect(under).center().y()
        row = self._model.at(self._model.index(under.row() + 1) if below else under)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._move(row.session.id if row is not None and row.session.pinned else 0)
