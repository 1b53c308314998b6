"""Import of a session into the journal."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.controls import Controls
from app.engine.meter.meter import Figures, Summary
from app.files import json_values
from app.records.columns import (
    figure_columns,
    finish_columns,
    fork_column,
    prompt_columns,
    start_columns,
    token_columns,
)
from app.records.database import Write
from app.records.recording import BATCH, LARGEST_BATCH
from app.records.run_environment import is_on_server, was_seeded
from app.records.run_settings import row_settings
from app.records.store import Store
from app.records.types import BEGINNING, RunId, RunRecord, SessionId, TurnId, WholeRun, WholeSession, WholeTurn

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


def add_writes(store: Store, record: WholeSession) -> tuple[SessionId, list[Write]]:
    """Return the session's id and the writes that add it."""
    session = store.number("session")
    settings = json_values.dumps(Controls, record.settings)
    times = (record.created, record.changed)
    writes = [Write(SESSION, [(session, record.title, record.named, record.pinned, *times, settings, record.draft)])]
    for turn, row, imported in _turns(store, record.turns):
        writes.append(Write(TURN, [(turn, session, *row)]))
        for run in imported.runs:
            writes += _run(store.number("run"), session, turn, run)
    return session, writes


def _turns(store: Store, turns: Sequence[WholeTurn]) -> Iterator[tuple[TurnId, tuple[object, ...], WholeTurn]]:
    """Yield each turn with its id and its other columns."""
    numbers = _numbers(store, turns)
    shown = [number for number, turn in zip(numbers, turns, strict=True) if not turn.hidden]
    neighbours = zip((BEGINNING, *shown), shown, (*shown[1:], BEGINNING), strict=False)
    around = {number: (before, after) for before, number, after in neighbours}
    for place, (number, turn) in enumerate(zip(numbers, turns, strict=True)):
        words = (turn.role.value, turn.text, turn.reasoning)
        links = _links(turn, numbers) if turn.hidden else around[number]
        forked = replace(turn.forked, turn=numbers[turn.forked.turn]) if turn.forked is not None else None
        yield number, (None if turn.hidden else place, *words, *links, fork_column(forked)), turn


def _links(turn: WholeTurn, numbers: Sequence[TurnId]) -> tuple[TurnId | None, TurnId]:
    """Return the turns before and after a hidden turn."""
    parent = None if turn.after is None else BEGINNING if turn.after < 0 else numbers[turn.after]
    return parent, BEGINNING if turn.then is None else numbers[turn.then]


def _numbers(store: Store, turns: Sequence[WholeTurn]) -> list[TurnId]:
    """Return new ids for the turns, in creation order if that is known."""
    numbers = [store.number("turn") for _ in turns]
    made = [turn.made for turn in turns if turn.made is not None]
    return [numbers[rank] for rank in made] if sorted(made) == list(range(len(turns))) else numbers


def _run(number: RunId, session: SessionId, turn: TurnId, record: WholeRun) -> Iterator[Write]:
    run = record.run
    yield Write(RUN, [(number, session, turn, *_row(run, len(record.tokens)))])
    yield Write(DETAIL, [(number, *_detail(run))])
    for first in range(0, len(record.tokens), LARGEST_BATCH):
        tokens = record.tokens[first : first + LARGEST_BATCH]
        yield Write(BATCH, [(number, first, *token_columns(tokens, 0.0), "", "")])


def _row(run: RunRecord, tokens: int) -> tuple[object, ...]:
    figures = run.summary.figures if run.summary else Figures(tokens=tokens, pieces=is_on_server(run.model))
    finish = run.finish
    draft = run.draft.name if run.draft else ""
    settings = row_settings(run.request, run.model)
    known = (run.started, run.state.value, finish.reason.value if finish else "", run.model.name, draft, run.mode)
    counted, reused = json_values.clamp(run.prompt_tokens), json_values.clamp(finish.reused_known if finish else None)
    return (*known, settings, counted, was_seeded(run.model, finish), reused, *figure_columns(figures))


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
