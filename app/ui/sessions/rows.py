"""The rows of the list as values: sessions under the names of their days, or the places where words were found."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from PySide6.QtCore import QDate, QLocale

from app.i18n import tr
from app.records.text_index import fold
from app.records.types import SearchHit, SessionInfo, TurnId

PINNED = tr("Pinned")
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of a day over its sessions."""

    text: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session, and where words were found in it."""

    session: SessionInfo
    excerpt: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    turn: TurnId = 0
    """The turn that they were found in."""
    aside: bool = False
    """It is on a branch that is not in sight."""
    sought: str = ""
    """What is to be shown there: all of the words where they stand together, or else the first one."""

    @property
    def note(self) -> str:
        """What is to be known of it beside its title."""
        if self.aside:
            return tr("other branch")
        return tr("interrupted") if self.session.interrupted else tr("draft") if self.session.unsent else ""


Rows = tuple[Heading | SessionRow, ...]


def rows_of(sessions: Sequence[SessionInfo], today: date, under: str = "") -> Rows:
    """The sessions with a heading wherever a day begins; the last heading before them was `under`."""
    rows: list[Heading | SessionRow] = []
    for info in sessions:
        heading = PINNED if info.pinned else day_name(datetime.fromtimestamp(info.changed).date(), today)
        if heading != under:
            under = heading
            rows.append(Heading(heading))
        rows.append(SessionRow(info))
    return tuple(rows)


def hit_rows(hits: Sequence[SearchHit], words: str) -> Rows:
    """Where the words were found; a title needs no excerpt of itself."""
    return tuple(_hit_row(hit, words) for hit in hits)


def _hit_row(hit: SearchHit, words: str) -> SessionRow:
    sought = _sought(hit, words)
    if hit.turn is None:
        return SessionRow(hit.session, aside=hit.aside, sought=sought)
    return SessionRow(hit.session, hit.excerpt, hit.marks, hit.turn, hit.aside, sought)


def _sought(hit: SearchHit, words: str) -> str:
    together = re.search(r"\s+".join(re.escape(fold(word)) for word in words.split()), fold(hit.excerpt))
    place = together.span() if together is not None else next(iter(hit.marks), (0, 0))
    return hit.excerpt[slice(*place)]


def day_name(day: date, today: date) -> str:
    """What people call a day, seen from today."""
    if day >= today:
        return tr("Today")
    if day == today - timedelta(days=1):
        return tr("Yesterday")
    if day > today - WEEK:
        return QLocale().toString(QDate(day.year, day.month, day.day), "dddd")
    #: As Qt writes dates: a day of this year, or of another one.
    form = tr("d MMMM") if day.year == today.year else tr("d MMMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, day.day), form)
