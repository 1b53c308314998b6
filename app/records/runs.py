"""The runs of a journal, as table rows, records and tokens."""

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from app.engine.types import RejectedTokens, Request, TokenLogprobs
from app.records.columns import (
    BRIEF,
    EXCERPTS,
    RECORD,
    ROW,
    TOKENS,
    bare_brief_of,
    bare_row_of,
    brief_of,
    pack_observed,
    record_of,
    request_of,
    row_of,
    tokens_of,
    unpack_ids,
    unpack_rejected,
    unpack_times,
    with_rejected,
)
from app.records.database import SqlWrite
from app.records.run_settings import SEED
from app.records.store import Store
from app.records.types import JournalChange, RunBrief, RunId, RunRecord, RunRow, SessionId, TokenRecord, WholeRun

FROM = "FROM run JOIN session ON session.id = run.session AND session.deleted IS NULL AND NOT run.removed"
ONE = f"SELECT {RECORD} FROM run JOIN detail ON detail.run = run.id WHERE run.id = ?"
BRIEFS = f"SELECT {BRIEF} FROM run JOIN detail ON detail.run = run.id WHERE run.session = ? ORDER BY run.id"
EXCERPTED = ("question", "answer")
"""Columns of other tables, which can't be sorted by."""
COLUMNS = {field.name: f"run.{field.name}" for field in fields(RunRow) if field.name not in EXCERPTED}
COLUMNS["title"] = "session.title"
CHUNK = 1000
Columns = TypeVar("Columns")
Made = TypeVar("Made")
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, OverflowError, zlib.error)
"""Exceptions of unreadable columns."""
KNOWN = frozenset({"run.started", "run.id", "session.title", "run.state", "run.reason", "run.model", "run.tokens"})
SETTING = re.compile(r"[a-z_]+(\.[a-z_]+)*")


class Runs:
    """Reading and removal of runs, on any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self, session: SessionId | None = None) -> int:
        """Return the number of rows in one session, or in all that aren't deleted."""
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
        """Return a range of the table. `sort` is the name of a field of `RunRow` or of a setting."""
        where = "" if session is None else "WHERE run.session = ?"
        values = () if session is None else (session,)
        order = _order(sort, descending)
        # Sort ids only, since the rows are long.
        sql = f"""WITH wanted AS (SELECT run.id {FROM} {where} ORDER BY {order} LIMIT ? OFFSET ?)
                  SELECT {ROW} {FROM} {EXCERPTS} WHERE run.id IN wanted ORDER BY {order}"""
        found = self._store.read(sql, (*values, count, start))
        return tuple(self._made_or_bare(row[0], row_of, bare_row_of, row) for row in found)

    def remove(self, runs: Sequence[RunId], removed: bool = True) -> None:
        """Hide runs from the table, or show them again. They are stored as long as their session."""
        rows = [(removed, run) for run in runs]
        self._store.writer.post([SqlWrite("UPDATE run SET removed = ? WHERE id = ?", rows)], JournalChange.RUNS)

    def get(self, run: RunId) -> RunRecord | None:
        """Return a run without its tokens; None if it doesn't exist or is unreadable."""
        found = self._store.read(ONE, (run,))
        if not found:
            return None
        batches = self._store.read("SELECT ids, text, reasoning FROM batch WHERE run = ? ORDER BY first", (run,))
        so_far = ("".join(row[1] for row in batches), "".join(row[2] for row in batches))

        def read(columns: Sequence[Any]) -> RunRecord | None:
            return record_of(columns, [token for batch in batches for token in unpack_ids(batch[0])], so_far)

        return self._made_or_bare(run, read, lambda columns: None, found[0])

    def request(self, run: RunId) -> Request | None:
        """Return only the request of a run as stored now, 30 times faster than the run with a long prompt."""
        found = self._store.read("SELECT request FROM detail WHERE run = ?", (run,), settled=False)
        read = lambda columns: request_of(columns[0])  # noqa: E731
        return self._made_or_bare(run, read, lambda columns: None, found[0]) if found else None

    def briefs(self, session: SessionId) -> tuple[RunBrief, ...]:
        """Return a summary of each run of a session, oldest first, 100 times faster than whole runs."""
        found = self._store.read(BRIEFS, (session,))
        return tuple(self._made_or_bare(row[0], brief_of, bare_brief_of, row) for row in found)

    def tokens(self, run: RunId, start: int = 0, count: int = 1000) -> tuple[TokenRecord, ...]:
        sql = f"""SELECT {TOKENS} FROM batch WHERE run = ?1 AND first < ?2 + ?3 AND first >= coalesce(
                  (SELECT max(first) FROM batch WHERE run = ?1 AND first <= ?2), 0) ORDER BY first"""
        batches = self._store.read(sql, (run, start, count))
        tokens = [token for batch in batches for token in self._made_or_bare(run, tokens_of, lambda columns: [], batch)]
        return tuple(token for token in tokens if start <= token.index < start + count)

    def learn(self, run: RunId, observed: Sequence[TokenLogprobs]) -> None:
        """Store later computed logprobs of a run's first tokens; logprobs of the others stay.

        Call it on a worker thread: it reads before it writes.
        """
        rows: list[tuple[object, ...]] = []
        sql = f"SELECT {TOKENS} FROM batch WHERE run = ? AND 0 <= first AND first < ? ORDER BY first"
        for batch in self._store.read(sql, (run, len(observed))):
            tokens, first = self._made_or_bare(run, tokens_of, lambda columns: [], batch), batch[0]
            seen = observed[first : first + len(tokens)]
            rows.append((pack_observed([*seen, *(token.observed for token in tokens[len(seen) :])]), run, first))
        self._store.writer.post(
            [SqlWrite("UPDATE batch SET observed = ? WHERE run = ? AND first = ?", rows)], JournalChange.RUNS
        )

    def rejected(self, run: RunId) -> tuple[RejectedTokens, ...]:
        found = self._store.read("SELECT rejected FROM detail WHERE run = ?", (run,))
        return self._made_or_bare(run, unpack_rejected, lambda column: (), found[0][0]) if found else ()

    def arrivals(self, run: RunId) -> tuple[float, ...]:
        """Return the time of each token, in seconds since Send."""
        batches = self._store.read("SELECT times FROM batch WHERE run = ? ORDER BY first", (run,))
        times = (self._made_or_bare(run, unpack_times, lambda column: [], batch[0]) for batch in batches)
        return tuple(at for each in times for at in each)

    def drafts(self, run: RunId) -> bytes:
        """Return a byte for each token: 1 if the draft model proposed it."""
        batches = self._store.read("SELECT drafts FROM batch WHERE run = ? ORDER BY first", (run,))
        return b"".join(self._made_or_bare(run, bytes, lambda column: b"", batch[0]) for batch in batches)

    def whole(self, run: RunId) -> WholeRun | None:
        """Return a run with all its tokens, for export. Slow for a long one: don't call it on the UI thread."""
        record = self.get(run)
        if record is None:
            return None
        tokens: list[TokenRecord] = []
        for start in range(0, len(record.ids), CHUNK):
            tokens += self.tokens(run, start, min(CHUNK, len(record.ids) - start))
        return WholeRun(with_rejected(record, self.rejected(run)), tuple(tokens))

    def _made_or_bare(
        self, run: RunId, make: Callable[[Columns], Made], bare: Callable[[Columns], Made], columns: Columns
    ) -> Made:
        """Return `make(columns)`; for an unreadable run, report it and return `bare(columns)`."""
        try:
            return make(columns)
        except UNREADABLE as error:
            self._store.report_unread(run, error)
            return bare(columns)


def _order(sort: str, descending: bool) -> str:
    """Return the ORDER BY clause, with unknown values last.

    For columns without NULL it is only the column, so that SQLite uses the index.
    """
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
