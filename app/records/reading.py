"""Reads a session whole, stretch by stretch, so that others may read in between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from app.engine.types import Role
from app.records.listing import settings_from
from app.records.runs import Runs
from app.records.store import Store
from app.records.types import (
    RunState,
    SessionId,
    WholeRun,
    WholeSession,
    WholeTurn,
)

SESSION = "SELECT title, named, pinned, created, changed, settings, draft FROM session WHERE id = ?"
TURNS = "SELECT id FROM turn WHERE session = ? ORDER BY place IS NULL, place, id"
TURN = "SELECT role, text, reasoning, place IS NULL FROM turn WHERE id = ?"
RUNS = "SELECT id FROM run WHERE turn = ? ORDER BY id"


def whole_session(store: Store, session: SessionId) -> WholeSession | None:
    """Everything in it; hidden turns stand at the end."""
    found = store.read(SESSION, (session,))
    if not found:
        return None
    title, named, pinned, created, changed, settings, draft = found[0]
    turns = tuple(_turns(store, store.read(TURNS, (session,))))
    read = settings_from(settings)
    return WholeSession(title, bool(named), bool(pinned), created, changed, read, draft, turns)


def _turns(store: Store, numbers: list[Any]) -> Iterator[WholeTurn]:
    for (turn,) in numbers:
        for role, text, reasoning, hidden in store.read(TURN, (turn,)):
            found = [Runs(store).whole(run) for (run,) in store.read(RUNS, (turn,))]
            runs = tuple(run for run in found if run is not None)
            for run in runs:
                if run.run.state is RunState.RUNNING:
                    text, reasoning = text + run.run.text, reasoning + run.run.reasoning
            yield WholeTurn(Role(role), text, reasoning, tuple(map(_settled, runs)), bool(hidden))


def _settled(whole: WholeRun) -> WholeRun:
    """A run that goes on is cut off here as far as the copy is concerned."""
    if whole.run.state is not RunState.RUNNING:
        return whole
    return replace(whole, run=replace(whole.run, state=RunState.INTERRUPTED))
