"""The model of the list of sessions: read page by page while the user scrolls."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from PySide6.QtCore import QAbstractListModel, QDate, QLocale, QModelIndex, QObject, Qt, Signal

from app.i18n import tr
from app.records.text_index import fold
from app.records.types import SearchHit, SessionId, SessionInfo, TurnId
from app.ui.widgets import as_tip
from app.ui.widgets.table_model import Index

PINNED = tr("Pinned")
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class DayHeading:
    """A day, above its sessions."""

    text: str


@dataclass(frozen=True, slots=True)
class ExperimentsHeading:
    """The heading of the sessions of experiments, at the end of the list. It shows and hides them."""

    is_unfolded: bool

    @property
    def text(self) -> str:
        return " ".join((tr("Experiments"), "▾" if self.is_unfolded else "▸"))


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session, or a search result in it."""

    session: SessionInfo
    excerpt: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    turn: TurnId = 0
    """The turn of the search result."""
    aside: bool = False
    """The result is on another branch."""
    sought: str = ""
    """The text to show in the turn: all search words if they are adjacent, else the first."""

    @property
    def note(self) -> str:
        if self.aside:
            return tr("other branch")
        return tr("interrupted") if self.session.interrupted else tr("draft") if self.session.unsent else ""


@dataclass(frozen=True, slots=True)
class SessionActivity:
    """The session that is running, and the number of queued prompts of each session."""

    running: SessionId = 0
    queued: Mapping[SessionId, int] = field(default_factory=dict)

    def note(self, session: SessionId) -> str:
        count = self.queued.get(session, 0)
        waiting = tr("%n queued", "%n queued", count) if count else ""
        return " · ".join(filter(None, (tr("running") if session == self.running else "", waiting)))


Row = DayHeading | ExperimentsHeading | SessionRow
Rows = tuple[Row, ...]


def rows_of(sessions: Sequence[SessionInfo], today: date, under: str = "") -> Rows:
    """Add a heading for each day; `under` is the last heading before these sessions."""
    rows: list[Row] = []
    for info in sessions:
        heading = PINNED if info.pinned else day_name(datetime.fromtimestamp(info.changed).date(), today)
        if heading != under:
            under = heading
            rows.append(DayHeading(heading))
        rows.append(SessionRow(info))
    return tuple(rows)


def _hit_row(hit: SearchHit, words: str) -> SessionRow:
    """Make the row of a search result; a match in the title has no excerpt."""
    details = (hit.excerpt, hit.marks, hit.turn) if hit.turn is not None else ("", (), 0)
    return SessionRow(hit.session, *details, hit.aside, _sought(hit, words))


def _sought(hit: SearchHit, words: str) -> str:
    together = re.search(r"\s+".join(re.escape(fold(word)) for word in words.split()), fold(hit.excerpt))
    span = together.span() if together is not None else next(iter(hit.marks), (0, 0))
    return hit.excerpt[slice(*span)]


def day_name(day: date, today: date) -> str:
    """Name a day: Today, Yesterday, a weekday, or a date."""
    if day >= today:
        return tr("Today")
    if day == today - timedelta(days=1):
        return tr("Yesterday")
    if day > today - WEEK:
        return QLocale().toString(QDate(day.year, day.month, day.day), "dddd")
    #: As Qt writes dates: a day of this year, or of another one.
    form = tr("d MMMM") if day.year == today.year else tr("d MMMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, day.day), form)


ListSessions = Callable[[int, int], Sequence[SessionInfo]]
"""Called with the start and the count."""
SearchSessions = Callable[[str, int, int], Sequence[SearchHit]]

PAGE = 100
REREAD = 1000
"""Maximum number of rows that are read again after a change."""
ROW = Qt.ItemDataRole.UserRole
NOTE = ROW + 1


class SessionsModel(QAbstractListModel):
    """Rows are `Row` values under the role ROW; the role NOTE is the text beside the title."""

    renamed = Signal(int, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._list: ListSessions = lambda start, count: ()
        self._experiments: ListSessions = lambda start, count: ()
        self._is_unfolded = False
        """The sessions of experiments are listed."""
        self._search: SearchSessions = lambda words, start, count: ()
        self.words = ""
        """The search; empty: none."""
        self._rows: list[Row] = []
        self.sessions = 0
        """Sessions read so far, without those of experiments."""
        self._more = False
        self.activity = SessionActivity()

    def show_activity(self, activity: SessionActivity) -> None:
        if activity == self.activity:
            return
        self.activity = activity
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def set_source(self, sessions: ListSessions, search: SearchSessions, experiments: ListSessions) -> None:
        self._list, self._search, self._experiments = sessions, search, experiments
        self.read_again()

    def search(self, words: str) -> None:
        self.words = words.strip()
        self.sessions = 0
        self.read_again()

    def read_again(self) -> None:
        wanted = min(max(self.sessions + 1, PAGE), REREAD)  # one more, to know whether there are more
        rows = self._fetch(0, wanted)
        self.sessions = len([row for row in rows if isinstance(row, SessionRow)])
        self._more = self.sessions == wanted
        self._replace([*rows, *self._experiment_rows()])

    def fold_experiments(self) -> None:
        """Show the sessions of experiments, or hide them."""
        self._is_unfolded = not self._is_unfolded
        self.read_again()

    def has_other(self, session: SessionId) -> bool:
        """Return whether there is a row of another session."""
        return any(isinstance(row, SessionRow) and row.session.id != session for row in self._rows)

    def row_of(self, session: SessionId) -> int:
        """Return the row of a session; -1: not read."""
        rows = enumerate(self._rows)
        return next((at for at, row in rows if isinstance(row, SessionRow) and row.session.id == session), -1)

    @property
    def pinned(self) -> tuple[SessionId, ...]:
        return tuple(row.session.id for row in self._rows if isinstance(row, SessionRow) and row.session.pinned)

    def at(self, index: Index) -> SessionRow | None:
        """Return the session at an index; None for a heading."""
        row = self._rows[index.row()] if index.isValid() else None
        return row if isinstance(row, SessionRow) else None

    def _fetch(self, start: int, count: int) -> Rows:
        if self.words:
            return tuple(_hit_row(hit, self.words) for hit in self._search(self.words, start, count))
        headings = [row.text for row in self._rows if isinstance(row, DayHeading)] if start else []
        return rows_of(self._list(start, count), date.today(), headings[-1] if headings else "")

    def _experiment_rows(self) -> Rows:
        """Return the heading of the experiments and their sessions, once all other sessions were read."""
        if self.words or self._more:
            return ()
        found = self._experiments(0, REREAD if self._is_unfolded else 1)
        rows = tuple(map(SessionRow, found)) if self._is_unfolded else ()
        return (ExperimentsHeading(self._is_unfolded), *rows) if found else ()

    def _replace(self, rows: list[Row]) -> None:
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
        if isinstance(row, ExperimentsHeading) and role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("Experiments, shown") if row.is_unfolded else tr("Experiments, hidden")
        if isinstance(row, ExperimentsHeading) and role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(tr("Show or hide the sessions of experiments and prompt sets"))
        if not isinstance(row, SessionRow):
            return row.text if role == Qt.ItemDataRole.DisplayRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.session.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tip(row.session.title)
        if role == NOTE:
            return self.activity.note(row.session.id) or row.note
        if role == Qt.ItemDataRole.AccessibleTextRole:
            note = self.activity.note(row.session.id) or row.note
            said = (row.session.title, tr("pinned") if row.session.pinned else "", note, row.excerpt)
            return ", ".join(filter(None, said))
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: ANN401
        """Emit the new title; the row changes once it is saved."""
        row = self.at(index)
        if row is None or role != Qt.ItemDataRole.EditRole or str(value).strip() == row.session.title:
            return False
        self.renamed.emit(row.session.id, str(value).strip())
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(row := self._rows[index.row()] if index.isValid() else None, ExperimentsHeading):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if not isinstance(row, SessionRow):
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
        rows += self._experiment_rows()
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()


def _name(row: Row) -> tuple[str, int]:
    """Identify a row while its content changes."""
    return (row.excerpt, row.session.id) if isinstance(row, SessionRow) else (row.text, 0)
