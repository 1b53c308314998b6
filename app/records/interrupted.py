"""Runs that the last start never finished become interrupted ones, with the text that reached the disk."""

from __future__ import annotations

from dataclasses import replace

from app import json_values
from app.engine.frame import Summary
from app.engine.speeds import gaps
from app.records.database import Database, Write
from app.records.packing import unpack_times
from app.records.types import RunId, RunState, TurnId

GOING = "SELECT id, turn FROM run WHERE state = 'running'"
WRITTEN = "SELECT times, drafts, text, reasoning FROM batch WHERE run = ? ORDER BY first"


def mark_interrupted(database: Database) -> None:
    """Nothing else may be writing: whoever holds the journal's lock can be sure of that."""
    writes = [write for run, turn in database.read(GOING) for write in _close(database, run, turn)]
    if writes:
        database.write(writes)


def _close(database: Database, run: RunId, turn: TurnId) -> list[Write]:
    batches = database.read(WRITTEN, (run,))
    text = "".join(batch[2] for batch in batches)
    reasoning = "".join(batch[3] for batch in batches)
    summary = _summary(database, run, batches)
    return [
        Write("UPDATE run SET state = ? WHERE id = ?", [(RunState.INTERRUPTED.value, run)]),
        Write(
            "UPDATE detail SET text = ?, reasoning = ?, summary = ? WHERE run = ?", [(text, reasoning, summary, run)]
        ),
        Write("UPDATE turn SET text = text || ?, reasoning = reasoning || ? WHERE id = ?", [(text, reasoning, turn)]),
    ]


def _summary(database: Database, run: RunId, batches: list[tuple[bytes, bytes, str, str]]) -> str | None:
    """The figures of the last batch, and the percentiles that are only told at the end."""
    found = database.read("SELECT summary FROM detail WHERE run = ?", (run,))
    if not found or found[0][0] is None:
        return None
    drafts = b"".join(batch[1] for batch in batches)
    try:
        arrivals = [at for batch in batches for at in unpack_times(batch[0])]
        summary = replace(json_values.loads(Summary, found[0][0]), gaps=gaps(arrivals, drafts))
    except ValueError:  # the text is worth more than its figures, and the journal is to open
        return None
    return json_values.dumps(Summary, summary)
