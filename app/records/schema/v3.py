"""A run keeps what its draft model proposed in vain."""

from __future__ import annotations

import sqlite3

# Apart from how the run ended, since it may be long and is only asked for with the run's tokens.
STATEMENT = "ALTER TABLE detail ADD COLUMN rejected TEXT"


def apply(connection: sqlite3.Connection) -> None:
    connection.execute(STATEMENT)
