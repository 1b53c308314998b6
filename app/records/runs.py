"""The runs of a journal, read as rows of a table, as whole records and token by token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.records.types import RunId, RunRecord, RunRow, SessionId, TokenRecord, WholeRun


class Runs(Protocol):
    """Reads answer at once, from any thread."""

    def count(self, session: SessionId | None = None) -> int:
        """How many runs there are, in one session or in all that are not deleted."""

    def rows(
        self,
        session: SessionId | None = None,
        sort: str = "started",
        descending: bool = True,
        start: int = 0,
        count: int = 200,
    ) -> tuple[RunRow, ...]:
        """A stretch of the table. `sort` is the name of a field of `RunRow`, or of one of its settings."""

    def get(self, run: RunId) -> RunRecord | None:
        """One run with all but its tokens."""

    def several(self, runs: Sequence[RunId]) -> tuple[RunRecord, ...]:
        """Those of them that there are, in this order: what a turn's `runs` names."""

    def tokens(self, run: RunId, start: int = 0, count: int = 1000) -> tuple[TokenRecord, ...]:
        """A stretch of its tokens."""

    def arrivals(self, run: RunId) -> tuple[float, ...]:
        """When each token came, in seconds since Send: what a speed curve is drawn from."""

    def whole(self, run: RunId) -> WholeRun | None:
        """A run with all its tokens, to be exported. Long for a long one, so call it on a thread of its own."""
