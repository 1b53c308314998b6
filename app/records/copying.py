"""Duplication of a session inside the journal: SQLite copies its rows under new ids."""

from collections.abc import Mapping
from dataclasses import replace

from app.i18n import tr
from app.records.columns import fork_column, fork_of
from app.records.database import Write
from app.records.store import Store
from app.records.types import BEGINNING, SessionId, TurnId

SESSION = """INSERT INTO session (id, title, named, created, changed, settings, draft)
             SELECT ?, CASE title WHEN '' THEN '' ELSE replace(?, '{title}', title) END, title <> '', ?, ?,
                    settings, draft FROM session WHERE id = ?"""
TURN = """INSERT INTO turn (id, session, place, role, text, reasoning, parent, next, forked)
          SELECT ?, ?, place, role, text, reasoning, ?, ?, ? FROM turn WHERE id = ?"""
TURNS = "SELECT id, parent, next, forked FROM turn WHERE session = ? ORDER BY id"
RUN_COLUMNS = """started, state, reason, model, draft, mode, prompt_tokens, reused, tokens, first_token, prompt_speed,
                 speed_mean, end_to_end, elapsed, settings, pieces, seeded, removed"""
RUN = f"INSERT INTO run (id, session, turn, {RUN_COLUMNS}) SELECT ?, ?, ?, {RUN_COLUMNS} FROM run WHERE id = ?"
DETAIL_COLUMNS = """request, model, draft, versions, context, prompt_text, prompt_ids, prompt_offsets, prompt_rest,
                    summary, finish, text, reasoning, rejected"""
DETAIL = f"INSERT INTO detail (run, {DETAIL_COLUMNS}) SELECT ?, {DETAIL_COLUMNS} FROM detail WHERE run = ?"
BATCH_COLUMNS = "first, ids, times, drafts, texts, observed, text, reasoning"
BATCHES = f"INSERT INTO batch (run, {BATCH_COLUMNS}) SELECT ?, {BATCH_COLUMNS} FROM batch WHERE run = ?"


def copy_writes(store: Store, session: SessionId, now: float) -> tuple[SessionId, list[Write]]:
    """Return the copy's id and the writes that create it. A running run is left out."""
    copy = store.number("session")
    there = store.read(TURNS, (session,))
    turns = {turn: store.number("turn") for turn, *_ in there}
    found = store.read("SELECT id, turn FROM run WHERE session = ? AND state <> 'running'", (session,))
    runs = [(store.number("run"), copy, turns[turn], run) for run, turn in found]
    return copy, [
        Write(SESSION, [(copy, tr("{title} (copy)"), now, now, session)]),
        Write(TURN, [(turns[turn], copy, *_links(turns, *links), turn) for turn, *links in there]),
        Write(RUN, runs),
        Write(DETAIL, [(new, old) for new, _, _, old in runs]),
        Write(BATCHES, [(new, old) for new, _, _, old in runs]),
    ]


def _links(
    turns: Mapping[TurnId, TurnId], parent: TurnId | None, following: TurnId, forked: str | None
) -> tuple[TurnId | None, TurnId, str | None]:
    """Return `parent`, `next` and `forked` of a turn under the new ids."""
    fork = fork_of(forked)
    fork = replace(fork, turn=turns[fork.turn]) if fork is not None and fork.turn in turns else None
    parent = None if parent is None else turns.get(parent, BEGINNING)
    return parent, turns.get(following, BEGINNING), fork_column(fork)
