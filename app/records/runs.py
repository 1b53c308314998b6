"""The runs of a journal, read as rows of a table, as whole records and token by token."""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from app.engine.types import Rejected, TokenLogprobs
from app.records.columns import (
    BRIEF,
    RECORD,
    ROW,
    TOKENS,
    bare_brief_of,
    bare_row_of,
    brief_of,
    record_of,
    row_of,
    tokens_of,
    with_rejected,
)
from app.records.database import Write
from app.records.packing import pack_observed, unpack_ids, unpack_rejected, unpack_times
from app.records.run_settings import SEED
from app.records.store import Store
from app.records.types import JournalChange, RunBrief, RunId, RunRecord, RunRow, SessionId, TokenRecord, WholeRun

FROM = "FROM run JOIN session ON session.id = run.session AND session.deleted IS NULL AND NOT run.removed"
ONE = f"SELECT {RECORD} FROM run JOIN detail ON detail.run = run.id WHERE run.id = ?"
BRIEFS = f"SELECT {BRIEF} FROM run JOIN detail ON detail.run = run.id WHERE run.session = ? ORDER BY run.id"
COLUMNS = {field.name: f"run.{field.name}" for field in fields(RunRow)} | {"title": "session.title"}
STRETCH = 1000
Said = TypeVar("Said")
Made = TypeVar("Made")
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, OverflowError, zlib.error)
"""What is raised where a column says something else than it was given."""
KNOWN = frozenset({"run.started", "run.id", "session.title", "run.state", "run.reason", "run.model", "run.tokens"})
SETTING = re.compile(r"[a-z_]+(\.[a-z_]+)*")


class Runs:
    """Reads answer at once, from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self, session: SessionId | None = None) -> int:
        """How many rows the table has, in one session or in all that are not deleted."""
        found = self._store.read(f"SELECT count(*) {FROM} WHERE ?1 IS NULL OR run.session = ?1", (session,))
        return found[0][0] if found else 0

    def rows(
        self,
        session: SessionId | None = None,
        sort: str = "started",
        descending: bool = True,
        start: int = 0,
        count: int = 200,
    ) -> tuple[RunRow, ...]:
        """A stretch of the table. `sort` is the name of a field of `RunRow`, or of one of its settings."""
        where = "" if session is None else "WHERE run.session = ?"
        values = () if session is None else (session,)
        order = _order(sort, descending)
        # Sorted by their numbers alone, since the rows are long.
        sql = f"""WITH wanted AS (SELECT run.id {FROM} {where} ORDER BY {order} LIMIT ? OFFSET ?)
                  SELECT {ROW} {FROM} WHERE run.id IN wanted ORDER BY {order}"""
        found = self._store.read(sql, (*values, count, start))
        return tuple(self._made(row[0], row_of, bare_row_of, row) for row in found)

    def remove(self, runs: Sequence[RunId], removed: bool = True) -> None:
        """Take them out of the table, or back into it. Their answers keep them until their sessions go."""
        rows = [(removed, run) for run in runs]
        self._store.writer.post([Write("UPDATE run SET removed = ? WHERE id = ?", rows)], JournalChange.RUNS)

    def get(self, run: RunId) -> RunRecord | None:
        """One run with all but its tokens; None when there is none, or nobody can read any more what it says."""
        found = self._store.read(ONE, (run,))
        if not found:
            return None
        batches = self._store.read("SELECT ids, text, reasoning FROM batch WHERE run = ? ORDER BY first", (run,))
        so_far = ("".join(row[1] for row in batches), "".join(row[2] for row in batches))

        def read(columns: Sequence[Any]) -> RunRecord | None:
            return record_of(columns, [token for batch in batches for token in unpack_ids(batch[0])], so_far)

        return self._made(run, read, lambda columns: None, found[0])

    def briefs(self, session: SessionId) -> tuple[RunBrief, ...]:
        """What is to be said of each run of a session, oldest first; a hundredth of reading them whole."""
        found = self._store.read(BRIEFS, (session,))
        return tuple(self._made(row[0], brief_of, bare_brief_of, row) for row in found)

    def tokens(self, run: RunId, start: int = 0, count: int = 1000) -> tuple[TokenRecord, ...]:
        """A stretch of its tokens."""
        sql = f"""SELECT {TOKENS} FROM batch WHERE run = ?1 AND first < ?2 + ?3 AND first >= coalesce(
                  (SELECT max(first) FROM batch WHERE run = ?1 AND first <= ?2), 0) ORDER BY first"""
        batches = self._store.read(sql, (run, start, count))
        tokens = [token for batch in batches for token in self._made(run, tokens_of, lambda columns: [], batch)]
        return tuple(token for token in tokens if start <= token.index < start + count)

    def learn(self, run: RunId, observed: Sequence[TokenLogprobs]) -> None:
        """Keep what was seen of its first choices, at a later time, and what was known of the others.

        On a thread: it reads before it writes.
        """
        rows: list[tuple[object, ...]] = []
        sql = f"SELECT {TOKENS} FROM batch WHERE run = ? AND 0 <= first AND first < ? ORDER BY first"
        for batch in self._store.read(sql, (run, len(observed))):
            tokens, first = self._made(run, tokens_of, lambda columns: [], batch), batch[0]
            seen = observed[first : first + len(tokens)]
            rows.append((pack_observed([*seen, *(token.observed for token in tokens[len(seen) :])]), run, first))
        self._store.writer.post(
            [Write("UPDATE batch SET observed = ? WHERE run = ? AND first = ?", rows)], JournalChange.RUNS
        )

    def rejected(self, run: RunId) -> tuple[Rejected, ...]:
        """What its draft model proposed in vain."""
        found = self._store.read("SELECT rejected FROM detail WHERE run = ?", (run,))
        return self._made(run, unpack_rejected, lambda column: (), found[0][0]) if found else ()

    def arrivals(self, run: RunId) -> tuple[float, ...]:
        """When each token came, in seconds since Send: what a speed curve is drawn from."""
        batches = self._store.read("SELECT times FROM batch WHERE run = ? ORDER BY first", (run,))
        return tuple(at for batch in batches for at in self._made(run, unpack_times, lambda column: [], batch[0]))

    def drafts(self, run: RunId) -> bytes:
        """Which of them a draft model proposed."""
        batches = self._store.read("SELECT drafts FROM batch WHERE run = ? ORDER BY first", (run,))
        return b"".join(self._made(run, bytes, lambda column: b"", batch[0]) for batch in batches)

    def whole(self, run: RunId) -> WholeRun | None:
        """A run with all its tokens, to be exported. Long for a long one, so call it on a thread of its own."""
        record = self.get(run)
        if record is None:
            return None
        tokens: list[TokenRecord] = []
        for start in range(0, len(record.ids), STRETCH):
            tokens += self.tokens(run, start, min(STRETCH, len(record.ids) - start))
        return WholeRun(with_rejected(record, self.rejected(run)), tuple(tokens))

    def _made(self, run: RunId, make: Callable[[Said], Made], bare: Callable[[Said], Made], columns: Said) -> Made:
        """What the columns say. One run that nobody can read must not take the others along, nor go without a word."""
        try:
            return make(columns)
        except UNREADABLE as error:
            self._store.tell_unread(run, error)
            return bare(columns)


def _order(sort: str, descending: bool) -> str:
    """What is unknown comes last either way; where nothing can be, the index is left to do its work."""
    column, order = _column(sort), "DESC" if descending else "ASC"
    last = "" if column in KNOWN else f"{column} IS NULL, "
    return f"{last}{column} {order}, run.id {order}"


def _column(sort: str) -> str:
    if sort in COLUMNS and sort not in ("seed", "settings"):
        return COLUMNS[sort]
    if sort == "seed":
        return f"CASE WHEN run.seeded THEN {_setting(SEED)} END"
    return _setting(sort) if SETTING.fullmatch(sort) else COLUMNS["started"]


def _setting(name: str) -> str:
    return f"""json_extract(run.settings, '$."{name}"')"""
