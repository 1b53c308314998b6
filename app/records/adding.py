"""Takes a whole session in: every statement that makes it a new one in the journal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from app.engine.frame import Figures, Summary
from app.engine.types import Finish
from app.records import plain
from app.records.columns import figure_columns, prompt_columns, start_columns, token_columns
from app.records.database import Write
from app.records.recording import BATCH, LARGEST_BATCH
from app.records.settings_of import settings_of
from app.records.store import Store
from app.records.types import (
    RunId,
    RunRecord,
    SessionId,
    SessionSettings,
    TokenRecord,
    TurnId,
    WholeRun,
    WholeSession,
    WholeTurn,
)

SESSION = """INSERT INTO session (id, title, named, pinned, created, changed, settings, draft)
             VALUES (?,?,?,?,?,?,?,?)"""
TURN = "INSERT INTO turn (id, session, place, role, text, reasoning) VALUES (?,?,?,?,?,?)"
RUN = """INSERT INTO run (id, session, turn, started, state, reason, model, draft, mode, settings, prompt_tokens,
         reused, tokens, first_token, prompt_speed, speed_mean, end_to_end, elapsed)
         VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""
DETAIL = """INSERT INTO detail (run, request, model, draft, versions, context, prompt_text, prompt_ids,
            prompt_offsets, prompt_rest, summary, finish, text, reasoning) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"""


def add_writes(store: Store, whole: WholeSession) -> tuple[SessionId, list[Write]]:
    """The number it will have, and what is to be written."""
    session = store.number("session")
    settings = json.dumps(plain.write(SessionSettings, whole.settings))
    times = (whole.created, whole.changed)
    writes = [Write(SESSION, [(session, whole.title, whole.named, whole.pinned, *times, settings, whole.draft)])]
    for place, turn in enumerate(whole.turns):
        writes += _turn(store, session, place, turn)
    return session, writes


def _turn(store: Store, session: SessionId, place: int, whole: WholeTurn) -> Iterator[Write]:
    turn = store.number("turn")
    words = (whole.role.value, whole.text, whole.reasoning)
    yield Write(TURN, [(turn, session, None if whole.hidden else place, *words)])
    for run in whole.runs:
        yield from _run(store.number("run"), session, turn, run)


def _run(number: RunId, session: SessionId, turn: TurnId, whole: WholeRun) -> Iterator[Write]:
    run = whole.run
    yield Write(RUN, [(number, session, turn, *_row(run, len(whole.tokens)))])
    yield Write(DETAIL, [(number, *_detail(run))])
    for first in range(0, len(whole.tokens), LARGEST_BATCH):
        tokens = whole.tokens[first : first + LARGEST_BATCH]
        yield Write(BATCH, [(number, first, *_tokens(tokens), "", "")])


def _row(run: RunRecord, tokens: int) -> tuple[object, ...]:
    figures = run.summary.figures if run.summary else Figures(tokens=tokens)
    finish = run.finish
    draft = run.draft.name if run.draft else ""
    settings = json.dumps(dict(settings_of(run.request)))
    prompt_tokens = len(run.prompt.ids) if run.prompt else finish.reused + finish.new if finish else None
    known = (run.started, run.state.value, finish.reason.value if finish else "", run.model.name, draft, run.mode)
    return (*known, settings, prompt_tokens, finish.reused if finish else None, *figure_columns(figures))


def _detail(run: RunRecord) -> tuple[object, ...]:
    summary = json.dumps(plain.write(Summary, run.summary)) if run.summary else None
    finish = json.dumps(plain.write(Finish, run.finish)) if run.finish else None
    start = start_columns(run.request, run.model, run.draft, run.versions)
    return (*start, run.context, *prompt_columns(run.prompt), summary, finish, run.text, run.reasoning)


def _tokens(tokens: Sequence[TokenRecord]) -> tuple[object, ...]:
    return token_columns(tokens, 0.0)
