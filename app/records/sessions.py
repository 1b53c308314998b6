"""The sessions of a journal: list, read and change them. No call destroys data."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from app.controls import Controls
from app.engine.types import Role
from app.files import json_values
from app.records.columns import fork_column, fork_of
from app.records.database import SqlWrite
from app.records.listing import COLUMNS, INFO, RETITLE, info_of, search, settings_from, title_of
from app.records.purge import OLD, ExpiredSessions
from app.records.store import Store
from app.records.types import (
    BEGINNING,
    Fork,
    JournalChange,
    SearchHit,
    Session,
    SessionId,
    SessionInfo,
    TurnId,
    TurnRecord,
    WholeSession,
)
from app.records.whole_sessions import add_writes, copy_writes, whole_session

EXPERIMENT = 2
"""Value of `named` for sessions of experiments and evaluations. 1: the user has set the title. 0: it is automatic."""
ROWS = f"""SELECT {INFO} FROM session WHERE deleted IS NULL AND {{}}
           ORDER BY pinned DESC, changed DESC, id DESC LIMIT ? OFFSET ?"""
ALL, CHATS = "1", f"(named <> {EXPERIMENT} OR pinned)"
EXPERIMENTS = f"named = {EXPERIMENT} AND NOT pinned"
LATEST = f"SELECT {INFO} FROM session WHERE deleted IS NULL ORDER BY changed DESC, id DESC LIMIT 1"
ONE = f"SELECT {INFO}, session.settings, session.draft FROM session WHERE deleted IS NULL AND id = ?"
TITLE = "SELECT title FROM session WHERE deleted IS NULL AND id = ?"
COLUMNS_OF_TURN = "id, role, text, reasoning, parent, next, forked"
TURNS = f"""SELECT {COLUMNS_OF_TURN} FROM turn WHERE session = ? AND place IS NOT NULL
            ORDER BY place LIMIT ? OFFSET ?"""
BRANCHES = f"""SELECT {COLUMNS_OF_TURN} FROM turn WHERE session = ? AND place IS NULL AND parent IS NOT NULL
               ORDER BY id LIMIT ? OFFSET ?"""
TURN = f"SELECT {COLUMNS_OF_TURN} FROM turn WHERE id = ?"
RUNS_OF = "SELECT turn, id, state FROM run WHERE turn IN ({}) ORDER BY id"
SO_FAR = "SELECT text, reasoning FROM batch WHERE run = ? ORDER BY first"
LAST = "(SELECT id FROM turn WHERE session = ?2 AND place IS NOT NULL ORDER BY place DESC LIMIT 1)"
LAST_PLACE = "(SELECT coalesce(max(place), 0) + 1 FROM turn WHERE session = ?2)"
FOLLOW = f"UPDATE turn SET next = ?1 WHERE id = {LAST}"
ADD_TURN = f"""INSERT INTO turn (id, session, place, role, text, reasoning, parent, forked)
               VALUES (?1, ?2, {LAST_PLACE}, ?3, ?4, ?5, coalesce({LAST}, {BEGINNING}), ?6)"""
SHOW = "UPDATE turn SET place = ?, parent = ?, next = ? WHERE id = ? AND session = ?"
MOVE = "UPDATE turn SET parent = ? WHERE id = ? AND session = ?"
PIN = "UPDATE session SET pinned = ? * (SELECT max(1, coalesce(max(pinned), 1)) FROM session) WHERE id = ?"
TOUCH = "UPDATE session SET changed = ? WHERE id = ?"
OF_TURN = "(SELECT session FROM turn WHERE id = ?)"
TOUCH_OF_TURN = f"UPDATE session SET changed = ? WHERE id = {OF_TURN}"


class Sessions:
    """The sessions of a journal. Any thread may call it; the next read sees all changes.

    The writer's thread makes the changes. If the disk is too slow for the next read, listeners are called later.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self) -> int:
        """Return the number of sessions, without deleted ones."""
        found = self._store.read("SELECT count(*) FROM session WHERE deleted IS NULL")
        return found[0][0] if found else 0

    def expired(self, expired: ExpiredSessions) -> int:
        """Return how many listed sessions the next start erases."""
        found = self._store.read(f"SELECT count(*) FROM session WHERE deleted IS NULL AND {OLD}", expired.values)
        return found[0][0] if found else 0

    def rows(self, start: int = 0, count: int = 100) -> tuple[SessionInfo, ...]:
        """Return a range of the sessions as stored now: pinned ones first, then by last change."""
        return self._rows(ALL, start, count)

    def chats(self, start: int = 0, count: int = 100) -> tuple[SessionInfo, ...]:
        """Return a range of the pinned sessions and those without an experiment."""
        return self._rows(CHATS, start, count)

    def experiments(self, start: int = 0, count: int = 100) -> tuple[SessionInfo, ...]:
        """Return a range of the sessions of experiments and evaluations that aren't pinned or renamed."""
        return self._rows(EXPERIMENTS, start, count)

    def latest(self) -> SessionInfo | None:
        found = self._store.read(LATEST)
        return info_of(found[0]) if found else None

    def get(self, session: SessionId) -> Session | None:
        """Return a session without its turns; None if it doesn't exist or is deleted."""
        found = self._store.read(ONE, (session,))
        if not found:
            return None
        settings, draft = found[0][COLUMNS:]
        return Session(info_of(found[0]), settings_from(settings), draft)

    def title(self, session: SessionId) -> str:
        """Return a session's title for the list; empty if it doesn't exist or is deleted."""
        found = self._store.read(TITLE, (session,), settled=False)
        return title_of(found[0][0]) if found else ""

    def turns(self, session: SessionId, start: int = 0, count: int = 20) -> tuple[TurnRecord, ...]:
        return self._store.read_steady(TURNS, (session, count, start), self._with_runs)

    def branches(self, session: SessionId, start: int = 0, count: int = 20) -> tuple[TurnRecord, ...]:
        """Return a range of a session's turns on other branches, oldest first."""
        return self._store.read_steady(BRANCHES, (session, count, start), self._with_runs)

    def turn(self, turn: TurnId) -> TurnRecord | None:
        """Return a turn of any branch; None if it doesn't exist."""
        return next(iter(self._store.read_steady(TURN, (turn,), self._with_runs)), None)

    def search(self, words: str, start: int = 0, count: int = 50) -> tuple[SearchHit, ...]:
        """Find the sessions that contain all words, also as prefixes: titles first, then latest turns."""
        return search(self._store, words, start, count)

    def new(self, settings: Controls | None = None, experiment: str = "") -> SessionId:
        """Create a session. Its first words are its title until it is renamed.

        `experiment`: the title, if it is the session of an experiment or an evaluation.
        """
        session, now = self._store.number("session"), time.time()
        title, named = _clean_title(experiment), EXPERIMENT if experiment else 0
        sql = "INSERT INTO session (id, title, named, created, changed, settings) VALUES (?, ?, ?, ?, ?, ?)"
        self._post(SqlWrite(sql, [(session, title, named, now, now, _settings_json(settings or Controls()))]))
        return session

    def rename(self, session: SessionId, title: str) -> None:
        """Set the title; an empty one restores the automatic title."""
        title = _clean_title(title)
        named = SqlWrite("UPDATE session SET title = ?, named = ? WHERE id = ?", [(title, bool(title), session)])
        self._post(named, SqlWrite(RETITLE + "?", [(session,)]))

    def pin(self, session: SessionId, pinned: bool) -> None:
        """Pin a session to the top of the list, or unpin it."""
        self._post(SqlWrite(PIN, [(pinned, session)]))

    def reorder(self, pinned: Sequence[SessionId]) -> None:
        """Set the order of pinned sessions; a session pinned later comes first."""
        ranks = [(len(pinned) - index, session) for index, session in enumerate(pinned)]
        self._post(SqlWrite("UPDATE session SET pinned = ? WHERE id = ? AND pinned", ranks))

    def duplicate(self, session: SessionId) -> SessionId:
        copy, writes = copy_writes(self._store, session, time.time())
        self._post(*writes)
        return copy

    def delete(self, session: SessionId) -> None:
        """Remove a session from the list; `restore` can undo this for 30 days."""
        self._post(SqlWrite("UPDATE session SET deleted = ? WHERE id = ?", [(time.time(), session)]))

    def restore(self, session: SessionId) -> None:
        self._post(SqlWrite("UPDATE session SET deleted = NULL WHERE id = ?", [(session,)]))

    def set_draft(self, session: SessionId, text: str) -> None:
        self._post(SqlWrite("UPDATE session SET draft = ? WHERE id = ?", [(json_values.clean(text), session)]))

    def set_settings(self, session: SessionId, settings: Controls) -> None:
        self._post(SqlWrite("UPDATE session SET settings = ? WHERE id = ?", [(_settings_json(settings), session)]))

    def add_turn(
        self, session: SessionId, role: Role, text: str, reasoning: str = "", forked: Fork | None = None
    ) -> TurnId:
        """Append a turn to the conversation. The text of an answer is added by its runs."""
        turn = self._store.number("turn")
        words = (json_values.clean(text), json_values.clean(reasoning))
        row = (turn, session, role.value, *words, fork_column(forked))
        self._post(SqlWrite(FOLLOW, [(turn, session)]), SqlWrite(ADD_TURN, [row]), *_touched(session))
        return turn

    def set_text(self, turn: TurnId, text: str) -> None:
        words = SqlWrite("UPDATE turn SET text = ?, reasoning = '' WHERE id = ?", [(json_values.clean(text), turn)])
        self._post(words, SqlWrite(RETITLE + OF_TURN, [(turn,)]), SqlWrite(TOUCH_OF_TURN, [(time.time(), turn)]))

    def arrange(
        self, session: SessionId, turns: Sequence[TurnId], moved: Mapping[TurnId, TurnId | None] | None = None
    ) -> None:
        """Set the conversation to these turns, in this order. Other turns become branches.

        Arrange the previous turns to undo this. `moved` maps turns of branches to the turn that they follow now; None
        for deleted ones.
        """
        around = [BEGINNING, *turns, BEGINNING]
        hide = SqlWrite("UPDATE turn SET place = NULL WHERE session = ? AND place IS NOT NULL", [(session,)])
        move = SqlWrite(MOVE, [(parent, turn, session) for turn, parent in (moved or {}).items()])
        indexes = [
            (index, before, after, turn, session)
            for index, (before, turn, after) in enumerate(zip(around, turns, around[2:], strict=False))
        ]
        retitle, touch = _touched(session)
        # Another branch is displayed: the content is the same.
        self._post(hide, move, SqlWrite(SHOW, indexes), retitle, *([touch] if moved else []))

    def whole(self, session: SessionId) -> WholeSession | None:
        """Return a session with all its content, for export. Slow for a long one: don't call it on the UI thread.

        A running run is exported as interrupted.
        """
        return whole_session(self._store, session)

    def add(self, whole: WholeSession) -> SessionId:
        """Import a session under a new id. Slow for a long one: don't call it on the UI thread."""
        session, writes = add_writes(self._store, whole)
        self._post(*writes)
        self._store.writer.post((), JournalChange.RUNS)
        return session

    def _rows(self, which: str, start: int, count: int) -> tuple[SessionInfo, ...]:
        return tuple(info_of(row) for row in self._store.read(ROWS.format(which), (count, start), settled=False))

    def _with_runs(self, turns: list[Any]) -> tuple[TurnRecord, ...]:
        """Read turns together with their runs, since the end of a run adds its text to its turn."""
        runs = self._store.read(RUNS_OF.format(",".join("?" * len(turns))), [turn[0] for turn in turns])
        return tuple(self._turn(turn, [run for run in runs if run[0] == turn[0]]) for turn in turns)

    def _turn(self, columns: Sequence[Any], runs: list[tuple[int, int, str]]) -> TurnRecord:
        number, role, text, reasoning, parent, following, forked = columns
        for _, run, state in runs:
            if state == "running":
                batches = self._store.read(SO_FAR, (run,))
                text += "".join(batch[0] for batch in batches)
                reasoning += "".join(batch[1] for batch in batches)
        numbers = tuple(run for _, run, _ in runs)
        return TurnRecord(number, Role(role), text, reasoning, numbers, parent or BEGINNING, following, fork_of(forked))

    def _post(self, *writes: SqlWrite) -> None:
        self._store.writer.post(writes, JournalChange.SESSIONS)


def _clean_title(title: str) -> str:
    return " ".join(json_values.clean(title).split())


def _touched(session: SessionId) -> tuple[SqlWrite, SqlWrite]:
    return SqlWrite(RETITLE + "?", [(session,)]), SqlWrite(TOUCH, [(time.time(), session)])


def _settings_json(settings: Controls) -> str:
    return json_values.dumps(Controls, settings)
