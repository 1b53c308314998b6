"""Reading of an entire session in parts, so that other reads don't wait."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from app.engine.types import Role
from app.records.columns import fork_of
from app.records.listing import settings_from
from app.records.runs import Runs
from app.records.store import Store
from app.records.types import BEGINNING, Fork, RunState, SessionId, TurnId, WholeRun, WholeSession, WholeTurn

SESSION = "SELECT title, named, pinned, created, changed, settings, draft FROM session WHERE id = ?"
TURNS = "SELECT id FROM turn WHERE session = ? ORDER BY place IS NULL, place, id"
TURN = "SELECT role, text, reasoning, place IS NULL, parent, next, forked FROM turn WHERE id = ?"
RUNS = "SELECT id FROM run WHERE turn = ? ORDER BY id"


def whole_session(store: Store, session: SessionId) -> WholeSession | None:
    """Return the session with all turns; hidden turns come last."""
    found = store.read(SESSION, (session,))
    if not found:
        return None
    title, named, pinned, created, changed, settings, draft = found[0]
    turns = tuple(_turns(store, store.read(TURNS, (session,))))
    read = settings_from(settings)
    return WholeSession(title, bool(named), bool(pinned), created, changed, read, draft, turns)


def _turns(store: Store, found: list[Any]) -> Iterator[WholeTurn]:
    numbers = [number for (number,) in found]
    made = {number: rank for rank, number in enumerate(sorted(numbers))}
    places = {number: place for place, number in enumerate(numbers)}
    for number in numbers:
        for turn, runs in store.read_steady(TURN, (number,), partial(_with_runs, store, number)):
            role, text, reasoning, hidden, parent, following, forked = turn
            for run in runs:
                if run.run.state is RunState.RUNNING:
                    text, reasoning = text + run.run.text, reasoning + run.run.reasoning
            whole = WholeTurn(Role(role), text, reasoning, tuple(map(_as_interrupted, runs)), bool(hidden))
            after = {BEGINNING: -1, **places}.get(parent) if hidden else None
            then = places.get(following) if after is not None else None
            yield replace(whole, after=after, then=then, made=made[number], forked=_forked(forked, places))


def _with_runs(store: Store, number: TurnId, turn: list[Any]) -> list[tuple[Any, list[WholeRun]]]:
    """Read turns together with their runs, since the end of a run adds its text to its turn."""
    found = [Runs(store).whole(run) for (run,) in store.read(RUNS, (number,))]
    return [(columns, [run for run in found if run is not None]) for columns in turn]


def _forked(column: str | None, places: Mapping[TurnId, int]) -> Fork | None:
    """Return the fork with the position of its turn in the file instead of the id."""
    forked = fork_of(column)
    return replace(forked, turn=places[forked.turn]) if forked is not None and forked.turn in places else None


def _as_interrupted(whole: WholeRun) -> WholeRun:
    """Return a running run as interrupted, since it doesn't end in the copy."""
    if whole.run.state is not RunState.RUNNING:
        return whole
    return replace(whole, run=replace(whole.run, state=RunState.INTERRUPTED))
