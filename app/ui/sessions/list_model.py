"""The list of sessions as Qt reads it: fetched a page at a time, as far as somebody scrolls."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt, Signal

from app.i18n import tr
from app.records.types import SearchHit, SessionId, SessionInfo
from app.ui.sessions.rows import Heading, Rows, SessionRow, hit_rows, rows_of
from app.ui.widgets import as_tip
from app.ui.widgets.table_model import Index

ListSessions = Callable[[int, int], Sequence[SessionInfo]]
"""A stretch of the list: from where, and how many."""
SearchSessions = Callable[[str, int, int], Sequence[SearchHit]]

PAGE = 100
REREAD = 1000
"""So many are read again at once when something has changed; who was further down scrolls on from there."""
ROW = Qt.ItemDataRole.UserRole


class SessionsModel(QAbstractListModel):
    """Its rows are `Heading` or `SessionRow` values, under the role ROW."""

    renamed = Signal(int, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._list: ListSessions = lambda start, count: ()
        self._search: SearchSessions = lambda words, start, count: ()
        self.words = ""
        """What is looked for; empty: nothing."""
        self._rows: list[Heading | SessionRow] = []
        self.sessions = 0
        """How many rows there are without the headings, as far as they are read."""
        self._more = False

    def set_source(self, sessions: ListSessions, search: SearchSessions) -> None:
        """Where the rows come from."""
        self._list, self._search = sessions, search
        self.read_again()

    def search(self, words: str) -> None:
        """List where these words are found; none: list all sessions."""
        self.words = words.strip()
        self.sessions = 0
        self.read_again()

    def read_again(self) -> None:
        """Something has changed: what was read before is read again."""
        wanted = min(max(self.sessions, PAGE), REREAD)
        rows = self._fetch(0, wanted)
        self.sessions = len([row for row in rows if isinstance(row, SessionRow)])
        self._more = self.sessions == wanted
        self._replace(list(rows))

    def row_of(self, session: SessionId) -> int:
        """In which row a session stands; -1: in none that is read."""
        rows = enumerate(self._rows)
        return next((at for at, row in rows if isinstance(row, SessionRow) and row.session.id == session), -1)

    @property
    def pinned(self) -> tuple[SessionId, ...]:
        """Those at the head of the list, from the top."""
        return tuple(row.session.id for row in self._rows if isinstance(row, SessionRow) and row.session.pinned)

    def at(self, index: Index) -> SessionRow | None:
        """The session at an index; None for a heading or nothing."""
        row = self._rows[index.row()] if index.isValid() else None
        return row if isinstance(row, SessionRow) else None

    def _fetch(self, start: int, count: int) -> Rows:
        if self.words:
            return hit_rows(self._search(self.words, start, count), self.words)
        headings = [row.text for row in self._rows if isinstance(row, Heading)] if start else []
        return rows_of(self._list(start, count), date.today(), headings[-1] if headings else "")

    def _replace(self, rows: list[Heading | SessionRow]) -> None:
        if [_name(row) for row in rows] == [_name(row) for row in self._rows]:
            others = [at for at, pair in enumerate(zip(rows, self._rows, strict=True)) if pair[0] != pair[1]]
            self._rows = rows
            if others:
                self.dataChanged.emit(self.index(others[0]), self.index(others[-1]))
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if isinstance(row, Heading):
            return row.text if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.session.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(row.session.title)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            said = (row.session.title, tr("pinned") if row.session.pinned else "", row.note, row.excerpt)
            return ", ".join(filter(None, said))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: ANN401
        """A new title is only told: it is seen here when it has been kept."""
        row = self.at(index)
        if row is None or role != Qt.ItemDataRole.EditRole or str(value).strip() == row.session.title:
            return False
        self.renamed.emit(row.session.id, str(value).strip())
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if (row := self.at(index)) is None:
            return Qt.ItemFlag.NoItemFlags
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable
        moved = Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled
        return usual | moved if row.session.pinned and not self.words else usual

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def canFetchMore(self, parent: Index) -> bool:
        return self._more and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        rows = self._fetch(self.sessions, PAGE)
        came = len([row for row in rows if isinstance(row, SessionRow)])
        self._more = came == PAGE
        self.sessions += came
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()


def _name(row: Heading | SessionRow) -> tuple[str, int]:
    """What stays the same while a row's look changes."""
    return (row.text, 0) if isinstance(row, Heading) else (row.excerpt, row.session.id)
