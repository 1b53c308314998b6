"""The column of sessions: a search field, the list, and Undo after a deletion."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.actions import shown
from app.bridge.playground import Playground
from app.i18n import tr
from app.records.sessions import Sessions
from app.records.types import JournalChange, SessionId
from app.state import State
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Size, Theme, scaled
from app.ui.sessions.list_model import ListSessions, SearchSessions, SessionActivity, SessionsModel
from app.ui.sessions.list_view import SessionsListView
from app.ui.widgets import in_column, in_row, named, plain_label
from app.ui.widgets.find_bar import SearchField
from app.ui.widgets.notices import UndoStrip

TYPING_MS = 150
"""The search starts after a pause of this length."""
MIN_WIDTH_PX = 180
NOTHING_YET = tr("No sessions yet. Sent prompts appear here.")
NOTHING_FOUND = tr("No matches. Each word has to match the beginning of a word.")


class SessionsColumn(QWidget):
    """The pane of sessions. Emits what also concerns the open conversation: opening, deleting, restoring, exporting."""

    deleted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "sessions", tr("Sessions"))
        scaled(theme, self, QWidget.setMinimumWidth, MIN_WIDTH_PX)
        self._theme = theme
        self._model = SessionsModel(self)
        self._stale, self._settled = False, True
        self._present: SessionId = 0
        tip = tr("Search titles and all text")
        self.search = SearchField("session_search", tr("Search the sessions"), tr("Search"), tip)
        self.list = SessionsListView(self._model, theme)
        back = tr("Restore the session ({key} in the list)").format(key=shown(("Ctrl+Z",)))
        self.undo = UndoStrip("session", back, (MARGIN_PX, GRID_PX, GAP_PX, GRID_PX))
        self.renamed, self.restored = self._model.renamed, self.undo.restored
        self.opened, self.found_opened = self.list.opened, self.list.found_opened
        self.exported, self.reordered = self.list.exported, self.list.reordered
        self.pinned, self.duplicated = self.list.pinned, self.list.duplicated
        self._empty = self._words("sessions_empty", NOTHING_YET)
        self._held = self._words("sessions_held", tr("Stop the run to open another session."))
        self._held.hide()
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._lay_out()
        self._connect()

    def follow(self, playground: Playground) -> None:
        """Show and change the sessions of this playground from now on."""
        self._playground = playground
        playground.book.ready.connect(self._list_sessions)
        playground.book.journal_changed.connect(self._on_journal_changed)
        playground.follow(("session", "can_leave", "running_session", "queue"), self._on_changed)
        self.renamed.connect(lambda session, title: self._sessions.rename(session, title))
        self.pinned.connect(lambda session, pinned: self._sessions.pin(session, pinned))
        self.reordered.connect(lambda sessions: self._sessions.reorder(sessions))
        self.duplicated.connect(lambda session: self._sessions.duplicate(session))

    def set_source(self, sessions: ListSessions, search: SearchSessions, experiments: ListSessions) -> None:
        self._model.set_source(sessions, search, experiments)
        self._show_empty()

    def refresh(self) -> None:
        """Read the list again, but not while a title is edited."""
        if self.list.editing:
            self._stale = True
            return
        self._stale = False
        current, position = self.list.current(), self.list.verticalScrollBar().value()
        self._model.read_again()
        if current:
            self.list.select(current)
        self.list.verticalScrollBar().setValue(position)
        self._show_empty()

    def show_present(self, session: SessionId) -> None:
        """Mark the open session; 0: there is none."""
        self._present = session
        self.list.show_present(session)
        self._show_empty()

    def show_activity(self, running: SessionId, queued: Sequence[SessionId]) -> None:
        """Mark the session that is running, and those with queued prompts."""
        self.list.show_running(running)
        self._model.show_activity(SessionActivity(running, Counter(queued)))

    def set_settled(self, settled: bool) -> None:
        """Set whether another session can be opened; False while an inspection or a rerun shows its results here."""
        self._settled = settled
        self.list.set_locked(not settled)
        self._show_empty()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @property
    def _sessions(self) -> Sessions:
        journal = self._playground.book.journal
        assert journal is not None
        return journal.sessions

    def _list_sessions(self) -> None:
        if self._playground.book.journal is not None:
            self.show_present(self._playground.state.session)
            self.set_source(self._sessions.chats, self._sessions.search, self._sessions.experiments)

    def _on_journal_changed(self, change: JournalChange) -> None:
        if change is JournalChange.SESSIONS:
            self.refresh()

    def _on_changed(self, state: State) -> None:
        self.show_present(state.session)
        self.show_activity(state.running_session, [each.session for each in state.queue])
        self.set_settled(state.can_leave)

    def _words(self, name: str, text: str) -> QLabel:
        label = plain_label(name, text, font=self._theme.font(Size.NORMAL), muted=True, wraps=True)
        label.setContentsMargins(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX)
        return label

    def _lay_out(self) -> None:
        in_column(
            in_row((self.search, 1), margins=(GAP_PX, GAP_PX, GAP_PX, GRID_PX)),
            self._empty,
            (self.list, 1),
            self._held,
            self.undo,
            on=self,
            gap=0,
        )

    def _connect(self) -> None:
        self._typing.timeout.connect(self._search)
        self.search.textChanged.connect(lambda: self._typing.start())
        self.search.returnPressed.connect(self._enter_list)
        self.list.itemDelegate().closeEditor.connect(self._on_edited, Qt.ConnectionType.QueuedConnection)
        self.list.deleted.connect(self._on_deleted)
        self.undo.changed.connect(self.list.set_undoable)
        self.list.undo_wanted.connect(self.undo.undo)

    def _search(self) -> None:
        self._typing.stop()
        self._model.search(self.search.text())
        self.list.show_found(bool(self._model.words))
        self.list.scrollToTop()
        self._show_empty()

    def _enter_list(self) -> None:
        self._search()
        first = next((row for row in range(self._model.rowCount()) if self._model.at(self._model.index(row))), -1)
        if first >= 0:
            self.list.setCurrentIndex(self._model.index(first))
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_deleted(self, session: SessionId, title: str) -> None:
        had_focus = self.list.hasFocus()
        self.undo.show_removed(session, tr("Deleted “{title}”").format(title=title))
        self.deleted.emit(session)
        if had_focus:  # the new session took it, but the list restores by Ctrl+Z
            self.list.setFocus()

    def _on_edited(self) -> None:
        if self._stale:
            self.refresh()

    def _show_empty(self) -> None:
        self._empty.setText(NOTHING_FOUND if self._model.words else NOTHING_YET)
        has_rows = self._model.rowCount() > 0
        self._empty.setVisible(not has_rows and self._settled)
        self._held.setVisible(self._model.has_other(self._present) and not self._settled)
        # Without a row, focus would be invisible.
        self.list.setFocusPolicy(Qt.FocusPolicy.StrongFocus if has_rows else Qt.FocusPolicy.NoFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search on Esc; go to the matches on Down."""
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self._enter_list()
        else:
            super().keyPressEvent(event)
