"""Whole sessions of the journal: read one for export, import one, and duplicate one inside SQLite."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from app.controls import Controls
from app.engine.meter.meter import RunMetrics, Summary
from app.engine.types import Role
from app.files import json_values
from app.i18n import tr
from app.records.columns import (
    finish_columns,
    fork_column,
    fork_of,
    metric_columns,
    prompt_columns,
    start_columns,
    token_columns,
)
from app.records.database import SqlWrite
from app.records.listing import settings_from
from app.records.recording import BATCH, LARGEST_BATCH
from app.records.run_environment import is_on_server, was_seeded
from app.records.run_settings import row_settings
from app.records.runs import Runs
from app.records.store import Store
from app.records.types import (
    BEGINNING,
    Fork,
    RunId,
    RunRecord,
    RunState,
    SessionId,
    TurnId,
    WholeRun,
    WholeSession,
    WholeTurn,
)

SESSION = """INSERT INTO session (id, title, named, pinned, created, changed, settings, draft)
             VALUES (?,?,?,?,?,?,?,?)"""
TURN = """INSERT INTO turn (id, session, place, role, text, reasoning, parent, next, forked)
          VALUES (?,?,?,?,?,?,?,?,?)"""
RUN = """INSERT INTO run (id, session, turn, started, state, reason, model, draft, mode, settings, prompt_tokens,
         seeded, reused, tokens, pieces, first_token, prompt_speed, speed_mean, end_to_end, elapsed)
         VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""
DETAIL = """INSERT INTO detail (run, request, model, draft, versions, context, prompt_text, prompt_ids,
            prompt_offsets, prompt_rest, summary, finish, text, reasoning, rejected)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""


def add_writes(store: Store, record: WholeSession) -> tuple[SessionId, list[SqlWrite]]:
    """Return the session's id and the writes that add it."""
    session = store.number("session")
    settings = json_values.dumps(Controls, record.settings)
    times = (record.created, record.changed)
    writes = [SqlWrite(SESSION, [(session, record.title, record.named, record.pinned, *times, settings, record.draft)])]
    for turn, row, imported in _turns(store, record.turns):
        writes.append(SqlWrite(TURN, [(turn, session, *row)]))
        for run in imported.runs:
            writes += _run(store.number("run"), session, turn, run)
    return session, writes


def _turns(store: Store, turns: Sequence[WholeTurn]) -> Iterator[tuple[TurnId, tuple[object, ...], WholeTurn]]:
    numbers = _numbers(store, turns)
    shown = [number for number, turn in zip(numbers, turns, strict=True) if not turn.hidden]
    neighbours = zip((BEGINNING, *shown), shown, (*shown[1:], BEGINNING), strict=False)
    around = {number: (before, after) for before, number, after in neighbours}
    for index, (number, turn) in enumerate(zip(numbers, turns, strict=True)):
        words = (turn.role.value, turn.text, turn.reasoning)
        links = _links(turn, numbers) if turn.hidden else around[number]
        forked = replace(turn.forked, turn=numbers[turn.forked.turn]) if turn.forked is not None else None
        yield number, (None if turn.hidden else index, *words, *links, fork_column(forked)), turn


def _links(turn: WholeTurn, numbers: Sequence[TurnId]) -> tuple[TurnId | None, TurnId]:
    parent = None if turn.after is None else BEGINNING if turn.after < 0 else numbers[turn.after]
    return parent, BEGINNING if turn.then is None else numbers[turn.then]


def _numbers(store: Store, turns: Sequence[WholeTurn]) -> list[TurnId]:
    """Return new ids for the turns, in creation order if that is known."""
    numbers = [store.number("turn") for _ in turns]
    made = [turn.made for turn in turns if turn.made is not None]
    return [numbers[rank] for rank in made] if sorted(made) == list(range(len(turns))) else numbers


def _run(number: RunId, session: SessionId, turn: TurnId, record: WholeRun) -> Iterator[SqlWrite]:
    run = record.run
    yield SqlWrite(RUN, [(number, session, turn, *_row(run, len(record.tokens)))])
    yield SqlWrite(DETAIL, [(number, *_detail(run))])
    for first in range(0, len(record.tokens), LARGEST_BATCH):
        tokens = record.tokens[first : first + LARGEST_BATCH]
        yield SqlWrite(BATCH, [(number, first, *token_columns(tokens, 0.0), "", "")])


def _row(run: RunRecord, tokens: int) -> tuple[object, ...]:
    metrics = run.summary.figures if run.summary else RunMetrics(tokens=tokens, pieces=is_on_server(run.model))
    finish = run.finish
    draft = run.draft.name if run.draft else ""
    settings = row_settings(run.request, run.model)
    known = (run.started, run.state.value, finish.reason.value if finish else "", run.model.name, draft, run.mode)
    counted, reused = json_values.clamp(run.prompt_tokens), json_values.clamp(finish.reused_known if finish else None)
    return (*known, settings, counted, was_seeded(run.model, finish), reused, *metric_columns(metrics))


def _detail(run: RunRecord) -> tuple[object, ...]:
    summary = json_values.dumps(Summary, run.summary) if run.summary else None
    finish, rejected = finish_columns(run.finish, 0.0) if run.finish else (None, None)
    start = start_columns(run.request, run.model, run.draft, run.versions)
    return (
        *start,
        json_values.clamp(run.context),
        *prompt_columns(run.prompt),
        summary,
        finish,
        run.text,
        run.reasoning,
        rejected,
    )


COPY_SESSION = """INSERT INTO session (id, title, named, created, changed, settings, draft)
             SELECT ?, CASE title WHEN '' THEN '' ELSE replace(?, '{title}', title) END, title <> '', ?, ?,
                    settings, draft FROM session WHERE id = ?"""
COPY_TURN = """INSERT INTO turn (id, session, place, role, text, reasoning, parent, next, forked)
          SELECT ?, ?, place, role, text, reasoning, ?, ?, ? FROM turn WHERE id = ?"""
LINKS = "SELECT id, parent, next, forked FROM turn WHERE session = ? ORDER BY id"
RUN_COLUMNS = """started, state, reason, model, draft, mode, prompt_tokens, reused, tokens, first_token, prompt_speed,
                 speed_mean, end_to_end, elapsed, settings, pieces, seeded, removed"""
COPY_RUN = f"INSERT INTO run (id, session, turn, {RUN_COLUMNS}) SELECT ?, ?, ?, {RUN_COLUMNS} FROM run WHERE id = ?"
DETAIL_COLUMNS = """request, model, draft, versions, context, prompt_text, prompt_ids, prompt_offsets, prompt_rest,
                    summary, finish, text, reasoning, rejected"""
COPY_DETAIL = f"INSERT INTO detail (run, {DETAIL_COLUMNS}) SELECT ?, {DETAIL_COLUMNS} FROM detail WHERE run = ?"
BATCH_COLUMNS = "first, ids, times, drafts, texts, observed, text, reasoning"
COPY_BATCHES = f"INSERT INTO batch (run, {BATCH_COLUMNS}) SELECT ?, {BATCH_COLUMNS} FROM batch WHERE run = ?"


def copy_writes(store: Store, session: SessionId, now: float) -> tuple[SessionId, list[SqlWrite]]:
    """Return the copy's id and the writes that create it. A running run is left out."""
    copy = store.number("session")
    there = store.read(LINKS, (session,))
    turns = {turn: store.number("turn") for turn, *_ in there}
    found = store.read("SELECT id, turn FROM run WHERE session = ? AND state <> 'running'", (session,))
    runs = [(store.number("run"), copy, turns[turn], run) for run, turn in found]
    return copy, [
        SqlWrite(COPY_SESSION, [(copy, tr("{title} (copy)"), now, now, session)]),
        SqlWrite(COPY_TURN, [(turns[turn], copy, *_copied_links(turns, *links), turn) for turn, *links in there]),
        SqlWrite(COPY_RUN, runs),
        SqlWrite(COPY_DETAIL, [(new, old) for new, _, _, old in runs]),
        SqlWrite(COPY_BATCHES, [(new, old) for new, _, _, old in runs]),
    ]


def _copied_links(
    turns: Mapping[TurnId, TurnId], parent: TurnId | None, following: TurnId, forked: str | None
) -> tuple[TurnId | None, TurnId, str | None]:
    """Return `parent`, `next` and `forked` of a turn under the new ids."""
    fork = fork_of(forked)
    fork = replace(fork, turn=turns[fork.turn]) if fork is not None and fork.turn in turns else None
    parent = None if parent is None else turns.get(parent, BEGINNING)
    return parent, turns.get(following, BEGINNING), fork_column(fork)


READ_SESSION = "SELECT title, named, pinned, created, changed, settings, draft FROM session WHERE id = ?"
READ_TURNS = "SELECT id FROM turn WHERE session = ? ORDER BY place IS NULL, place, id"
READ_TURN = "SELECT role, text, reasoning, place IS NULL, parent, next, forked FROM turn WHERE id = ?"
READ_RUNS = "SELECT id FROM run WHERE turn = ? ORDER BY id"


def whole_session(store: Store, session: SessionId) -> WholeSession | None:
    """Return the session with all turns; hidden turns come last."""
    found = store.read(READ_SESSION, (session,))
    if not found:
        return None
    title, named, pinned, created, changed, settings, draft = found[0]
    turns = tuple(_read_turns(store, store.read(READ_TURNS, (session,))))
    read = settings_from(settings)
    return WholeSession(title, bool(named), bool(pinned), created, changed, read, draft, turns)


def _read_turns(store: Store, found: list[Any]) -> Iterator[WholeTurn]:
    numbers = [number for (number,) in found]
    made = {number: rank for rank, number in enumerate(sorted(numbers))}
    indexes = {number: index for index, number in enumerate(numbers)}
    for number in numbers:
        for turn, runs in store.read_steady(READ_TURN, (number,), partial(_with_runs, store, number)):
            role, text, reasoning, hidden, parent, following, forked = turn
            for run in runs:
                if run.run.state is RunState.RUNNING:
                    text, reasoning = text + run.run.text, reasoning + run.run.reasoning
            whole = WholeTurn(Role(role), text, reasoning, tuple(map(_as_interrupted, runs)), bool(hidden))
            after = {BEGINNING: -1, **indexes}.get(parent) if hidden else None
            then = indexes.get(following) if after is not None else None
            yield replace(whole, after=after, then=then, made=made[number], forked=_forked(forked, indexes))


def _with_runs(store: Store, number: TurnId, turn: list[Any]) -> list[tuple[Any, list[WholeRun]]]:
    """Read turns together with their runs, since the end of a run adds its text to its turn."""
    found = [Runs(store).whole(run) for (run,) in store.read(READ_RUNS, (number,))]
    return [(columns, [run for run in found if run is not None]) for columns in turn]


def _forked(column: str | None, indexes: Mapping[TurnId, int]) -> Fork | None:
    """Return the fork with the position of its turn in the file instead of the id."""
    forked = fork_of(column)
    return replace(forked, turn=indexes[forked.turn]) if forked is not None and forked.turn in indexes else None


def _as_interrupted(whole: WholeRun) -> WholeRun:
    """Return a running run as interrupted, since it doesn't end in the copy."""
    if whole.run.state is not RunState.RUNNING:
        return whole
    return replace(whole, run=replace(whole.run, state=RunState.INTERRUPTED))
