"""The sessions of a journal: listed, opened in steps, changed; no single call destroys anything."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from app.controls import Controls
from app.engine.types import Role
from app.files import json_values
from app.records.columns import fork_column, fork_of
from app.records.copying import copy_writes
from app.records.database import Write
from app.records.listing import COLUMNS, INFO, RETITLE, info_of, search, settings_from, title_of
from app.records.purge import OLD, Expired
from app.records.reading import whole_session
from app.records.session_insert import add_writes
from app.records.store import Store
from app.records.types import (
    BEGINNING,
    Fork,
    JournalChange,
    SearchHit,
    Session,
    SessionId,
    SessionInfo,
    Turn,
    TurnId,
    WholeSession,
)

ROWS = f"""SELECT {INFO} FROM session WHERE deleted IS NULL
           ORDER BY pinned DESC, changed DESC, id DESC LIMIT ? OFFSET ?"""
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
    """Reads answer at once, from any thread; changes are handed to the writer and are seen by the next read.

    Where the disk is too slow for that, a listener of the journal is told when to look again.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self) -> int:
        """How many there are, deleted ones left out."""
        found = self._store.read("SELECT count(*) FROM session WHERE deleted IS NULL")
        return found[0][0] if found else 0

    def outlived(self, outlived: Expired) -> int:
        """How many of those in the list go at the next start."""
        found = self._store.read(f"SELECT count(*) FROM session WHERE deleted IS NULL AND {OLD}", outlived.values)
        return found[0][0] if found else 0

    def rows(self, start: int = 0, count: int = 100) -> tuple[SessionInfo, ...]:
        """A stretch of the list, as it is written now: the pinned ones first, then by their last change."""
        return tuple(info_of(row) for row in self._store.read(ROWS, (count, start), settled=False))

    def latest(self) -> SessionInfo | None:
        """The one that was changed last, pinned or not."""
        found = self._store.read(LATEST)
        return info_of(found[0]) if found else None

    def get(self, session: SessionId) -> Session | None:
        """One session without its turns; None when there is none, or it is deleted."""
        found = self._store.read(ONE, (session,))
        if not found:
            return None
        settings, draft = found[0][COLUMNS:]
        return Session(info_of(found[0]), settings_from(settings), draft)

    def title(self, session: SessionId) -> str:
        """What it is called in the list; empty when there is none, or it is deleted."""
        found = self._store.read(TITLE, (session,), settled=False)
        return title_of(found[0][0]) if found else ""

    def turns(self, session: SessionId, start: int = 0, count: int = 20) -> tuple[Turn, ...]:
        """A stretch of its conversation."""
        return self._store.read_steady(TURNS, (session, count, start), self._with_runs)

    def branches(self, session: SessionId, start: int = 0, count: int = 20) -> tuple[Turn, ...]:
        """A stretch of the turns that are no part of the conversation now, but may be again; the oldest first."""
        return self._store.read_steady(BRANCHES, (session, count, start), self._with_runs)

    def turn(self, turn: TurnId) -> Turn | None:
        """One turn, wherever it stands."""
        return next(iter(self._store.read_steady(TURN, (turn,), self._with_runs)), None)

    def search(self, words: str, start: int = 0, count: int = 50) -> tuple[SearchHit, ...]:
        """Where all of the words occur, each also as a beginning: in titles first, then in the latest turns."""
        return search(self._store, words, start, count)

    def new(self, settings: Controls | None = None) -> SessionId:
        """Begin one. It is titled by its first words, and those of the answer, until somebody renames it."""
        session, now = self._store.number("session"), time.time()
        sql = "INSERT INTO session (id, created, changed, settings) VALUES (?, ?, ?, ?)"
        self._post(Write(sql, [(session, now, now, _said(settings or Controls()))]))
        return session

    def rename(self, session: SessionId, title: str) -> None:
        """Give it a title; an empty one lets it follow the first words again."""
        title = " ".join(json_values.clean(title).split())
        named = Write("UPDATE session SET title = ?, named = ? WHERE id = ?", [(title, bool(title), session)])
        self._post(named, Write(RETITLE + "?", [(session,)]))

    def pin(self, session: SessionId, pinned: bool) -> None:
        """Keep it at the head of the list, or no longer."""
        self._post(Write(PIN, [(pinned, session)]))

    def reorder(self, pinned: Sequence[SessionId]) -> None:
        """The pinned ones stand in this order; one that is pinned later comes first."""
        ranks = [(len(pinned) - place, session) for place, session in enumerate(pinned)]
        self._post(Write("UPDATE session SET pinned = ? WHERE id = ? AND pinned", ranks))

    def duplicate(self, session: SessionId) -> SessionId:
        """A copy with everything in it, runs included."""
        copy, writes = copy_writes(self._store, session, time.time())
        self._post(*writes)
        return copy

    def delete(self, session: SessionId) -> None:
        """Take it out of the list; `restore` brings it back for weeks."""
        self._post(Write("UPDATE session SET deleted = ? WHERE id = ?", [(time.time(), session)]))

    def restore(self, session: SessionId) -> None:
        """Undo `delete`."""
        self._post(Write("UPDATE session SET deleted = NULL WHERE id = ?", [(session,)]))

    def set_draft(self, session: SessionId, text: str) -> None:
        """Keep what is typed and not sent."""
        self._post(Write("UPDATE session SET draft = ? WHERE id = ?", [(json_values.clean(text), session)]))

    def set_settings(self, session: SessionId, settings: Controls) -> None:
        """Keep the controls it is used with."""
        self._post(Write("UPDATE session SET settings = ? WHERE id = ?", [(_said(settings), session)]))

    def add_turn(
        self, session: SessionId, role: Role, text: str, reasoning: str = "", forked: Fork | None = None
    ) -> TurnId:
        """Append a turn to the conversation. An answer begins empty: its runs bring the text."""
        turn = self._store.number("turn")
        words = (json_values.clean(text), json_values.clean(reasoning))
        row = (turn, session, role.value, *words, fork_column(forked))
        self._post(Write(FOLLOW, [(turn, session)]), Write(ADD_TURN, [row]), *_touched(session))
        return turn

    def set_text(self, turn: TurnId, text: str) -> None:
        """Put other words into a turn."""
        words = Write("UPDATE turn SET text = ?, reasoning = '' WHERE id = ?", [(json_values.clean(text), turn)])
        self._post(words, Write(RETITLE + OF_TURN, [(turn,)]), Write(TOUCH_OF_TURN, [(time.time(), turn)]))

    def arrange(
        self, session: SessionId, turns: Sequence[TurnId], moved: Mapping[TurnId, TurnId | None] | None = None
    ) -> None:
        """These turns, in this order, are the conversation now. Others are branches: arrange them again to undo.

        `moved` has branches that follow another turn now, or None for what was deleted.
        """
        around = [BEGINNING, *turns, BEGINNING]
        hide = Write("UPDATE turn SET place = NULL WHERE session = ? AND place IS NOT NULL", [(session,)])
        move = Write(MOVE, [(parent, turn, session) for turn, parent in (moved or {}).items()])
        places = [
            (place, before, after, turn, session)
            for place, (before, turn, after) in enumerate(zip(around, turns, around[2:], strict=False))
        ]
        self._post(hide, move, Write(SHOW, places), *_touched(session))

    def whole(self, session: SessionId) -> WholeSession | None:
        """Everything in it, to be exported. Long for a long one, so call it on a thread of its own.

        A run that goes on is cut off in it.
        """
        return whole_session(self._store, session)

    def add(self, whole: WholeSession) -> SessionId:
        """Take in a session as a new one. Long for a long one, so call it on a thread of its own."""
        session, writes = add_writes(self._store, whole)
        self._post(*writes)
        self._store.writer.post((), JournalChange.RUNS)
        return session

    def _with_runs(self, turns: list[Any]) -> tuple[Turn, ...]:
        """A run's end brings its text into its turn."""
        runs = self._store.read(RUNS_OF.format(",".join("?" * len(turns))), [turn[0] for turn in turns])
        return tuple(self._turn(turn, [run for run in runs if run[0] == turn[0]]) for turn in turns)

    def _turn(self, columns: Sequence[Any], runs: list[tuple[int, int, str]]) -> Turn:
        number, role, text, reasoning, parent, following, forked = columns
        for _, run, state in runs:
            if state == "running":
                batches = self._store.read(SO_FAR, (run,))
                text += "".join(batch[0] for batch in batches)
                reasoning += "".join(batch[1] for batch in batches)
        numbers = tuple(run for _, run, _ in runs)
        return Turn(number, Role(role), text, reasoning, numbers, parent or BEGINNING, following, fork_of(forked))

    def _post(self, *writes: Write) -> None:
        self._store.writer.post(writes, JournalChange.SESSIONS)


def _touched(session: SessionId) -> tuple[Write, Write]:
    return Write(RETITLE + "?", [(session,)]), Write(TOUCH, [(time.time(), session)])


def _said(settings: Controls) -> str:
    return json_values.dumps(Controls, settings)
