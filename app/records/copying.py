"""Duplicates a session inside the journal: its rows are copied where they lie, under new numbers."""

from __future__ import annotations

from app.records.database import Write
from app.records.store import Store
from app.records.types import SessionId

SESSION = """INSERT INTO session (id, title, named, created, changed, settings, draft)
             SELECT ?, CASE title WHEN '' THEN '' ELSE title || ' (copy)' END, title <> '', ?, ?, settings, draft
             FROM session WHERE id = ?"""
TURN = """INSERT INTO turn (id, session, place, role, text, reasoning)
          SELECT ?, ?, place, role, text, reasoning FROM turn WHERE id = ?"""
RUN_COLUMNS = """started, state, reason, model, draft, mode, prompt_tokens, reused, tokens, first_token, prompt_speed,
                 speed_mean, end_to_end, elapsed, settings"""
RUN = f"INSERT INTO run (id, session, turn, {RUN_COLUMNS}) SELECT ?, ?, ?, {RUN_COLUMNS} FROM run WHERE id = ?"
DETAIL_COLUMNS = """request, model, draft, versions, context, prompt_text, prompt_ids, prompt_offsets, prompt_rest,
                    summary, finish, text, reasoning"""
DETAIL = f"INSERT INTO detail (run, {DETAIL_COLUMNS}) SELECT ?, {DETAIL_COLUMNS} FROM detail WHERE run = ?"
BATCH_COLUMNS = "first, ids, times, drafts, texts, observed, text, reasoning"
BATCHES = f"INSERT INTO batch (run, {BATCH_COLUMNS}) SELECT ?, {BATCH_COLUMNS} FROM batch WHERE run = ?"


def copy_writes(store: Store, session: SessionId, now: float) -> tuple[SessionId, list[Write]]:
    """The copy's number, and what is to be written. A run that goes on is left out."""
    copy = store.number("session")
    turns = {turn: store.number("turn") for (turn,) in store.read("SELECT id FROM turn WHERE session = ?", (session,))}
    found = store.read("SELECT id, turn FROM run WHERE session = ? AND state <> 'running'", (session,))
    runs = [(store.number("run"), copy, turns[turn], run) for run, turn in found]
    return copy, [
        Write(SESSION, [(copy, now, now, session)]),
        Write(TURN, [(new, copy, old) for old, new in turns.items()]),
        Write(RUN, runs),
        Write(DETAIL, [(new, old) for new, _, _, old in runs]),
        Write(BATCHES, [(new, old) for new, _, _, old in runs]),
    ]
