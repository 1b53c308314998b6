"""Turns know which one they follow, so that other answers and other questions stay as branches."""

from __future__ import annotations

import sqlite3

BEFORE = """(SELECT other.id FROM turn AS other WHERE other.session = turn.session AND other.place < turn.place
            ORDER BY other.place DESC LIMIT 1)"""
AFTER = """(SELECT other.id FROM turn AS other WHERE other.session = turn.session AND other.place > turn.place
           ORDER BY other.place LIMIT 1)"""
STATEMENTS = (
    # The turn before it; 0: it begins the conversation; NULL: it was deleted. What was hidden until now stays so.
    "ALTER TABLE turn ADD COLUMN parent INTEGER",
    # The turn that followed it when it was last seen; 0: none.
    "ALTER TABLE turn ADD COLUMN next INTEGER NOT NULL DEFAULT 0",
    # Of an answer that was forked from another: where, and how.
    "ALTER TABLE turn ADD COLUMN forked TEXT",
    f"UPDATE turn SET parent = coalesce({BEFORE}, 0), next = coalesce({AFTER}, 0) WHERE place IS NOT NULL",
)


def apply(connection: sqlite3.Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
