"""A run can be out of the table of runs; its session keeps all of it."""

from __future__ import annotations

import sqlite3

STATEMENT = "ALTER TABLE run ADD COLUMN removed INTEGER NOT NULL DEFAULT 0"


def apply(connection: sqlite3.Connection) -> None:
    connection.execute(STATEMENT)
