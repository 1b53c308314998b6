"""Takes sessions out for good that were deleted weeks ago."""

from __future__ import annotations

import time

from app.records.database import Database, Write

KEPT_S = 30 * 24 * 3600.0
"""So long after Delete a session can still be brought back."""


def purge(database: Database, now: float | None = None) -> None:
    before = (time.time() if now is None else now) - KEPT_S
    if database.read("SELECT 1 FROM session WHERE deleted < ? LIMIT 1", (before,)):
        database.write([Write("DELETE FROM session WHERE deleted < ?", [(before,)])])
