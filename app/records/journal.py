"""The journal: everything the user did, written as it happens, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from app.engine.types import Event, Failure, Finish
from app.records.runs import Runs
from app.records.sessions import Sessions
from app.records.types import Change, Outcome, RunId, RunStart, SessionId, TurnId


class Recorder(Protocol):
    """Writes one run down. Both calls only append to a queue, so the engine's thread may make them."""

    run: RunId

    def put(self, event: Event) -> None:
        """One event of the run: `Prompted` and every `Token`; others are ignored."""

    def finish(self, finish: Finish) -> None:
        """The last word; the turn's text is whole after it."""


class Journal(Protocol):
    """Open it with `open_journal(folder)`, which never fails: what is wrong is in `failure`, and it goes on in memory.

    Text reaches the disk at most a quarter of a second after it came.
    """

    sessions: Sessions
    runs: Runs

    @property
    def failure(self) -> Failure | None:
        """Why nothing is kept at present, or why something was set aside, in a sentence, and what to do."""

    @property
    def folder(self) -> Path | None:
        """Where it is kept; None while it is only in memory."""

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call it after each change. It is called on the writer's thread: post to your own from there."""

    def begin(self, session: SessionId, turn: TurnId, start: RunStart) -> Recorder:
        """A run of the answer `turn` is sent: the first one, or a Continue."""

    def flush(self, seconds: float = 5.0) -> bool:
        """Wait until everything so far is on the disk; tells whether it is."""

    def save_elsewhere(self, folder: Path) -> Outcome:
        """Put everything into another folder and go on there. Waits for the disk: not on the window's thread."""

    def close(self) -> None:
        """Write the rest, close the file and end the thread."""
